package com.gomomento.valkey.operator.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * docs/DECISION_TABLE.md is made from the rules' own Javadoc, in the order in which they speak. Written anew with
 * {@code -Dtest.jvm.args=-Dtranscripts.write=true}.
 */
class DecisionTableTest {

    private static final Path SOURCES = Path.of("src/main/java/com/gomomento/valkey/operator/core/plan");
    private static final Path PAGE = Path.of("../docs/DECISION_TABLE.md");
    private static final Pattern RULE = Pattern.compile("new (\\w+Rule)\\(\\)");
    private static final List<String> PARTS = List.of("Gap", "Action", "Evidence", "Guard", "Invariants");
    private static final Pattern LINK = Pattern.compile("\\{@(?:code|link) ([^}]*)}");

    @Test
    void thePageSaysWhatTheRulesSay() throws IOException {
        String page = page();
        if (Boolean.getBoolean("transcripts.write")) {
            Files.writeString(PAGE, page, StandardCharsets.UTF_8);
        }
        assertThat(page).isEqualTo(Files.readString(PAGE, StandardCharsets.UTF_8));
    }

    private static String page() throws IOException {
        StringBuilder page = new StringBuilder("""
                # Decision table

                What the planner does, rule by rule, in the order in which the rules speak. Generated from the rules' own
                Javadoc; a test holds it against them. The invariants are in [INVARIANTS.md](INVARIANTS.md).
                """);
        Matcher rules = RULE.matcher(source("Planner"));
        int number = 0;
        while (rules.find()) {
            number++;
            page.append("\n## ")
                    .append(number)
                    .append(". ")
                    .append(rules.group(1))
                    .append("\n\n| | |\n|---|---|\n");
            List<String> paragraphs = paragraphs(rules.group(1));
            for (String part : PARTS) {
                page.append("| **").append(part).append("** | ");
                page.append(said(part, paragraphs, rules.group(1))).append(" |\n");
            }
        }
        assertThat(number).as("rules in the planner's table").isGreaterThan(10);
        return page.toString();
    }

    private static String source(String type) throws IOException {
        return Files.readString(SOURCES.resolve(type + ".java"), StandardCharsets.UTF_8);
    }

    private static List<String> paragraphs(String rule) throws IOException {
        String source = source(rule);
        String comment = source.substring(source.indexOf("/**") + 3, source.indexOf("*/"));
        List<String> paragraphs = new ArrayList<>();
        for (String paragraph : comment.replaceAll("(?m)^ *\\* ?", "").split("<p>", -1)) {
            paragraphs.add(
                    LINK.matcher(paragraph.strip().replaceAll("\\s+", " ")).replaceAll("`$1`"));
        }
        return paragraphs;
    }

    private static String said(String part, List<String> paragraphs, String rule) {
        return paragraphs.stream()
                .filter(paragraph -> paragraph.startsWith(part + ": "))
                .map(paragraph -> paragraph.substring(part.length() + 2))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the Javadoc of " + rule + " has no paragraph '" + part + ":'"));
    }
}
