package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.Check;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The user's directives with which one server runs. As text, on its pod, a line each: {@code name value}. A {@code ?} before
 * the name says that the server may have been told another value already: it is written before the server is told and taken
 * away after, so that a step that is cut off between the two misleads nobody.
 *
 * @param values by name, as the server was started with or is known to have taken
 * @param doubtful names of those that may differ by now
 */
record Directives(SortedMap<String, String> values, SortedSet<String> doubtful) {

    private static final char DOUBT = '?';

    Directives {
        values = Check.sortedCopy(values);
        doubtful = Collections.unmodifiableSortedSet(new TreeSet<>(doubtful));
    }

    /** Those that are surely in force. */
    static Directives of(SortedMap<String, String> values) {
        return new Directives(values, new TreeSet<>());
    }

    /** The same values, of which these may differ by now. */
    Directives doubting(Set<String> names) {
        SortedSet<String> doubts = new TreeSet<>(doubtful);
        doubts.addAll(names);
        return new Directives(values, doubts);
    }

    /** The lines. */
    String text() {
        StringBuilder lines = new StringBuilder();
        values.forEach((name, value) -> line(name, value, lines));
        doubtful.stream().filter(name -> !values.containsKey(name)).forEach(name -> line(name, "", lines));
        return lines.toString();
    }

    private void line(String name, String value, StringBuilder lines) {
        if (doubtful.contains(name)) {
            lines.append(DOUBT);
        }
        lines.append(name);
        if (values.containsKey(name)) {
            lines.append(' ').append(value);
        }
        lines.append('\n');
    }

    /** What {@link #text} was made from. */
    static Directives parse(String text) {
        SortedMap<String, String> values = new TreeMap<>();
        SortedSet<String> doubts = new TreeSet<>();
        text.lines().filter(line -> !line.isBlank()).forEach(line -> {
            int start = line.charAt(0) == DOUBT ? 1 : 0;
            int blank = line.indexOf(' ');
            String name = line.substring(start, blank < 0 ? line.length() : blank);
            if (start > 0) {
                doubts.add(name);
            }
            if (blank >= 0) {
                values.put(name, line.substring(blank + 1));
            }
        });
        return new Directives(values, doubts);
    }

    /**
     * What {@code CONFIG SET} has to set. Empty when that can't bring a server to what is wished: only a server that starts
     * knows the default of a directive that was taken out, and quoted words mean something else to the command than to the
     * file.
     */
    Optional<SortedMap<String, String>> changeTo(SortedMap<String, String> wish) {
        if (!wish.keySet().containsAll(values.keySet()) || !wish.keySet().containsAll(doubtful)) {
            return Optional.empty();
        }
        SortedMap<String, String> change = new TreeMap<>();
        for (var directive : wish.entrySet()) {
            String name = directive.getKey();
            String value = directive.getValue();
            if (doubtful.contains(name) || !value.equals(values.get(name))) {
                boolean empty = value.equals("\"\"");
                if (!empty && value.chars().anyMatch(c -> c == '"' || c == '\'' || c == '\\')) {
                    return Optional.empty();
                }
                change.put(name, empty ? "" : value);
            }
        }
        return Optional.of(change);
    }
}
