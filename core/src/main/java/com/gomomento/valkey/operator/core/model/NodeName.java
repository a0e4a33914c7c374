package com.gomomento.valkey.operator.core.model;

import java.util.regex.Pattern;

/** Name of one member: of its ValkeyNode and of its Pod, which share it ({@code {cluster}-{5 hex}}). */
public record NodeName(String value) implements Comparable<NodeName> {

    private static final Pattern FORM = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    /** Refuses a value of another form. */
    public NodeName {
        Check.that(FORM.matcher(value).matches(), "'" + value + "' is no name of a member");
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
