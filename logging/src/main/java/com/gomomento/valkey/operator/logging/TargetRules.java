package com.gomomento.valkey.operator.logging;

import java.util.List;
import java.util.function.Predicate;

/**
 * The static directives that concern one target, most specific first.
 *
 * @param byField those that only hold for events with a certain field, and that come before the plain one
 * @param plain the level for all other events
 */
record TargetRules(List<Directive> byField, LevelFilter plain) {

    TargetRules {
        byField = List.copyOf(byField);
    }

    /** The level for an event with these fields. */
    LevelFilter level(Predicate<String> hasField) {
        for (Directive directive : byField) {
            if (directive
                    .field()
                    .map(Directive.FieldMatch::name)
                    .filter(hasField)
                    .isPresent()) {
                return directive.level();
            }
        }
        return plain;
    }

    /** The most verbose level that an event could have, whatever its fields. */
    LevelFilter mostVerbose() {
        LevelFilter most = plain;
        for (Directive directive : byField) {
            most = most.max(directive.level());
        }
        return most;
    }

    /** Whether the fields of an event make no difference. */
    boolean isPlain() {
        return byField.isEmpty();
    }
}
