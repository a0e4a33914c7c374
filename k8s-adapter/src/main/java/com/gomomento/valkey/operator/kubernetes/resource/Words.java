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

    static final SortedMap<String, ClusterState> STATES = words(ClusterState.values(), ClusterState::word);
    static final SortedMap<String, Lifecycle> LIFECYCLES = words(Lifecycle.values(), Lifecycle::word);
    static final SortedMap<String, Role> ROLES = words(Role.values(), Role::word);
    static final SortedMap<String, KeyAccess> KEY_ACCESS = words(KeyAccess.values(), KeyAccess::word);
    static final SortedMap<String, ZoneSpread> ZONE_SPREAD = words(ZoneSpread.values(), ZoneSpread::word);

    /** Whether an ACL rule allows. */
    static final SortedMap<String, Boolean> RULE_ACCESS = Check.sortedCopy(Map.of("allow", true, "deny", false));

    /** Whether a condition holds. Kubernetes' third word, Unknown, is never written by this operator. */
    static final SortedMap<String, Boolean> CONDITION_STATUS = Check.sortedCopy(Map.of("True", true, "False", false));

    private Words() {}

    private static <E> SortedMap<String, E> words(E[] values, Function<E, String> word) {
        TreeMap<String, E> words = new TreeMap<>();
        for (E value : values) {
            words.put(word.apply(value), value);
        }
        return Check.sortedCopy(words);
    }
}
