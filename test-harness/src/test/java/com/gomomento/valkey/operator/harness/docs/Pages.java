package com.gomomento.valkey.operator.harness.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The pages that people read, and what is in them. */
final class Pages {

    /** The checkout. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private Pages() {}

    /**
     * A block of commands.
     *
     * @param page relative to the checkout
     * @param line where it begins, from 1
     * @param commands as they stand there
     */
    record Block(String page, int line, String commands) {
        @Override
        public String toString() {
            return page + ":" + line;
        }
    }

    /** README and the other pages at the root, then those in docs, relative to the checkout. */
    static List<String> all() {
        List<String> pages = new ArrayList<>();
        try (Stream<Path> root = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            Stream.concat(root, docs)
                    .filter(path -> path.toString().endsWith(".md"))
                    .map(path -> ROOT.relativize(path).toString())
                    .sorted()
                    .forEach(pages::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pages;
    }

    static List<String> lines(String page) {
        try {
            return Files.readAllLines(ROOT.resolve(page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The blocks in this language, such as {@code sh} or {@code yaml}. */
    static List<Block> blocks(String page, String language) {
        List<Block> blocks = new ArrayList<>();
        StringBuilder commands = new StringBuilder();
        int begin = 0;
        int number = 0;
        for (String line : lines(page)) {
            number++;
            if (begin == 0 && line.strip().equals("```" + language)) {
                begin = number;
            } else if (begin > 0 && line.strip().equals("```")) {
                blocks.add(new Block(page, begin, commands.toString()));
                commands.setLength(0);
                begin = 0;
            } else if (begin > 0) {
                commands.append(line).append('\n');
            }
        }
        return blocks;
    }

    /** A page's lines without blocks of code. */
    static List<String> prose(String page) {
        List<String> prose = new ArrayList<>();
        boolean inside = false;
        for (String line : lines(page)) {
            if (line.strip().startsWith("```")) {
                inside = !inside;
            } else if (!inside) {
                prose.add(line);
            }
        }
        return prose;
    }
}
