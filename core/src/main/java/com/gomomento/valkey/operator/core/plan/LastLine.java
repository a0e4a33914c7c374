package com.gomomento.valkey.operator.core.plan;

import java.util.List;

/** Picks what a person wants to read out of the last lines of a dead server's log. */
final class LastLine {

    private static final int MAX_LENGTH = 300;
    private static final String FATAL = "*** FATAL CONFIG FILE ERROR";

    private LastLine() {}

    /**
     * The last line that is not blank, cut at 300 characters; of a fatal configuration error all its lines, which name the
     * line's number, its text and what is wrong with it.
     */
    static String of(String log) {
        List<String> lines =
                log.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        if (lines.isEmpty()) {
            return "it left no message";
        }
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(FATAL)) {
                return cut(String.join(" ", lines.subList(i, lines.size())));
            }
        }
        return cut(lines.getLast());
    }

    private static String cut(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
    }
}
