package com.gomomento.valkey.operator.harness.scenario;

import java.util.List;

/** What a valkey-server answers to one command, in protocol RESP2. */
public sealed interface Reply {

    /** A status or a bulk string. */
    record Text(String value) implements Reply {}

    /** An integer. */
    record Amount(long value) implements Reply {}

    /** An array. */
    record Items(List<Reply> values) implements Reply {
        /** Copies its list. */
        public Items {
            values = List.copyOf(values);
        }
    }

    /** Null, as a string or an array. */
    record Nothing() implements Reply {}

    /** An error, with its prefix, such as {@code MOVED 866 10.244.0.7:6379}. */
    record Failure(String message) implements Reply {}

    /**
     * The text of a {@link Text}.
     *
     * @throws ScenarioFailure for every other reply
     */
    default String text() {
        return switch (this) {
            case Text(String value) -> value;
            case Amount(long value) -> Long.toString(value);
            case Items items -> throw new ScenarioFailure("a text was expected, got " + items);
            case Nothing ignored -> throw new ScenarioFailure("a text was expected, got null");
            case Failure(String message) -> throw new ScenarioFailure("the server refused: " + message);
        };
    }

    /**
     * The values of an {@link Items}.
     *
     * @throws ScenarioFailure for every other reply
     */
    default List<Reply> items() {
        return switch (this) {
            case Items(List<Reply> values) -> values;
            case Text text -> throw new ScenarioFailure("an array was expected, got " + text);
            case Amount amount -> throw new ScenarioFailure("an array was expected, got " + amount);
            case Nothing ignored -> throw new ScenarioFailure("an array was expected, got null");
            case Failure(String message) -> throw new ScenarioFailure("the server refused: " + message);
        };
    }
}
