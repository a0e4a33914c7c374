package com.gomomento.valkey.operator.kubernetes.resource;

import com.gomomento.valkey.operator.core.declare.UserDeclaration.KeyAccess;
import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** The words that custom resources use for the core's enumerations. The schemas list the same ones. */
final class Words {

    static final SortedMap<String, ClusterState> STATES = words(ClusterState.values(), Words::word);
    static final SortedMap<String, Lifecycle> LIFECYCLES = words(Lifecycle.values(), Words::word);
    static final SortedMap<String, Role> ROLES = words(Role.values(), Words::word);
    static final SortedMap<String, KeyAccess> KEY_ACCESS = words(KeyAccess.values(), Words::word);
    static final SortedMap<String, ZoneSpread> ZONE_SPREAD = words(ZoneSpread.values(), Words::word);

    /** Whether an ACL rule allows. */
    static final SortedMap<String, Boolean> RULE_ACCESS = Check.sortedCopy(Map.of("allow", true, "deny", false));

    /** Whether a condition holds. Kubernetes' third word, Unknown, is never written by this operator. */
    static final SortedMap<String, Boolean> CONDITION_STATUS = Check.sortedCopy(Map.of("True", true, "False", false));

    private Words() {}

    static String word(ClusterState state) {
        return switch (state) {
            case CREATING -> "Creating";
            case ACTIVE -> "Active";
            case UPDATING -> "Updating";
            case INVALID -> "Invalid";
            case FAILED -> "Failed";
        };
    }

    static String word(Lifecycle lifecycle) {
        return switch (lifecycle) {
            case JOINING -> "Joining";
            case ACTIVE -> "Active";
            case LEAVING -> "Leaving";
        };
    }

    static String word(Role role) {
        return switch (role) {
            case PRIMARY -> "primary";
            case REPLICA -> "replica";
        };
    }

    static String word(KeyAccess access) {
        return switch (access) {
            case READ -> "read";
            case WRITE -> "write";
            case READWRITE -> "readwrite";
        };
    }

    static String word(ZoneSpread spread) {
        return switch (spread) {
            case BEST_EFFORT -> "bestEffort";
            case REQUIRED -> "required";
        };
    }

    private static <E> SortedMap<String, E> words(E[] values, Function<E, String> word) {
        TreeMap<String, E> words = new TreeMap<>();
        for (E value : values) {
            words.put(word.apply(value), value);
        }
        return Check.sortedCopy(words);
    }
}
