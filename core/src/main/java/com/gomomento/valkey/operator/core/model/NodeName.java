package com.gomomento.valkey.operator.core.model;

/** Name of one member: of its ValkeyNode and of its Pod, which share it ({@code {cluster}-{5 hex}}). */
public record NodeName(String value) implements Comparable<NodeName> {

    private static final int MAX_LENGTH = 63;

    /** Refuses a value of another form. */
    public NodeName {
        if (!isLabel(value)) {
            throw new IllegalArgumentException("'" + value + "' is no name of a member");
        }
    }

    /** Whether it is a label as of RFC 1123. Names are made for each look at each pod, too often for a regular expression. */
    private static boolean isLabel(String value) {
        boolean wellEnded =
                !value.isEmpty() && value.length() <= MAX_LENGTH && !value.startsWith("-") && !value.endsWith("-");
        for (int i = 0; wellEnded && i < value.length(); i++) {
            char c = value.charAt(i);
            wellEnded = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
        }
        return wellEnded;
    }

    @Override
    public int compareTo(NodeName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
