package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.observe.NodeReport.MemoryUse;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The {@code name:value} lines of {@code INFO} and {@code CLUSTER INFO}. Comment lines ({@code # Server}) are skipped. */
final class InfoText {

    private final String source;
    private final SortedMap<String, String> values;

    private InfoText(String source, SortedMap<String, String> values) {
        this.source = source;
        this.values = values;
    }

    /**
     * Reads all lines.
     *
     * @param source the command, for messages
     * @throws MalformedReply for a line of another form, a name that comes twice, or a text that is cut off
     */
    static InfoText parse(String source, String text) throws MalformedReply {
        if (!text.endsWith("\n")) {
            throw new MalformedReply(source + " does not end with a line end", text);
        }
        SortedMap<String, String> values = new TreeMap<>();
        for (String line : text.split("\r?\n", -1)) {
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new MalformedReply(source + " has a line that is not name:value", line);
            }
            if (values.put(line.substring(0, colon), line.substring(colon + 1)) != null) {
                throw new MalformedReply(source + " has a name twice", line);
            }
        }
        return new InfoText(source, Collections.unmodifiableSortedMap(values));
    }

    /** The value of {@code name}, if there is such a line. */
    Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** The value of {@code name}. */
    String text(String name) throws MalformedReply {
        String value = values.get(name);
        if (value == null || value.isBlank()) {
            throw new MalformedReply(source + " has no value for", name);
        }
        return value;
    }

    /** The value of {@code name} as a whole number of 0 or more; -1, by which servers say "none yet", counts as 0. */
    long count(String name) throws MalformedReply {
        String value = text(name);
        try {
            long number = Long.parseLong(value);
            if (number >= -1) {
                return Math.max(0, number);
            }
        } catch (NumberFormatException e) {
            // falls through: told below, like a number that is too small
        }
        throw new MalformedReply(source + " has no count for " + name, value);
    }

    /** How full the server is, out of the section {@code memory}. Buffers of replicas don't count against the limit. */
    MemoryUse memory() throws MalformedReply {
        long used = count("used_memory") - count("mem_not_counted_for_evict");
        return new MemoryUse(Math.max(0, used), count("maxmemory"));
    }

    /** The value of {@code name} as a decimal number of 0 or more. */
    double decimal(String name) throws MalformedReply {
        String value = text(name);
        try {
            double number = Double.parseDouble(value);
            if (number >= 0 && Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            // falls through: told below, like a number that is too small
        }
        throw new MalformedReply(source + " has no decimal number for " + name, value);
    }
}
