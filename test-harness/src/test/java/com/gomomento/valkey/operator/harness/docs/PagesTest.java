package com.gomomento.valkey.operator.harness.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What pages refer to is there. */
class PagesTest {

    private static final int README_LINES = 150;

    /** {@code [text](target)}, not a link to another site. */
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|mailto:)([^)\\s]+)\\)");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** A path in this repository: a folder of the root first. */
    private static final Pattern PATH = Pattern.compile("[A-Za-z0-9_.-]+(/[A-Za-z0-9_.*-]+)+/?");

    private static final Pattern DEV = Pattern.compile("\\./dev (?:--name \\S+ )?([a-z-]+)");

    static List<String> pages() {
        return Pages.all();
    }

    @Test
    void theReadmeIsShort() {
        assertThat(Pages.lines("README.md")).hasSizeLessThan(README_LINES);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksLeadSomewhere(String page) {
        List<String> broken = new ArrayList<>();
        for (String line : Pages.prose(page)) {
            LINK.matcher(line).results().map(link -> link.group(1)).forEach(target -> {
                String[] parts = target.split("#", 2);
                String path = parts[0].isEmpty()
                        ? page
                        : Path.of(page).resolveSibling(parts[0]).normalize().toString();
                if (!Files.exists(Pages.ROOT.resolve(path))) {
                    broken.add(target);
                } else if (parts.length == 2 && !headings(path).contains(parts[1])) {
                    broken.add(target + " (no such heading)");
                }
            });
        }
        assertThat(broken).as("broken links of " + page).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void pathsAreThere(String page) throws IOException {
        Set<String> folders;
        try (Stream<Path> root = Files.list(Pages.ROOT)) {
            folders = root.filter(Files::isDirectory)
                    .map(path -> path.getFileName().toString())
                    .collect(Collectors.toSet());
        }
        List<String> missing = new ArrayList<>();
        for (String line : Pages.prose(page)) {
            for (String code :
                    CODE.matcher(line).results().map(match -> match.group(1)).toList()) {
                // What a build leaves behind is there after that build alone.
                if (!code.contains("...")
                        && !code.contains("/target/")
                        && PATH.matcher(code).matches()
                        && folders.contains(code.substring(0, code.indexOf('/')))
                        && !isThere(code)) {
                    missing.add(code);
                }
            }
        }
        assertThat(missing).as("paths that " + page + " names").isEmpty();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void devHasTheCommandsThatAreNamed(String page) throws IOException {
        String script = Files.readString(Pages.ROOT.resolve("dev"));
        Matcher commands = DEV.matcher(String.join("\n", Pages.lines(page)));
        while (commands.find()) {
            String command = commands.group(1);
            assertThat(Pattern.compile("(?m)^ {4}(\\S+ \\| )*" + Pattern.quote(command) + "( \\|.*)?\\)")
                            .matcher(script)
                            .find())
                    .as("./dev " + command)
                    .isTrue();
        }
    }

    private static boolean isThere(String path) throws IOException {
        if (!path.contains("*")) {
            return Files.exists(Pages.ROOT.resolve(path));
        }
        Path folder = Pages.ROOT.resolve(path).getParent();
        String name = Path.of(path).getFileName().toString();
        try (var found = Files.newDirectoryStream(folder, name)) {
            return found.iterator().hasNext();
        }
    }

    /** As GitHub makes anchors of headings. */
    private static Set<String> headings(String page) {
        return Pages.prose(page).stream()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
