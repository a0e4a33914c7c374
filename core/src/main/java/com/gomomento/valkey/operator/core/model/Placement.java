package com.gomomento.valkey.operator.core.model;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Where members may run.
 *
 * @param zones allowed values of {@code topology.kubernetes.io/zone}; empty allows every zone
 * @param zoneSpread how the members of a shard spread over zones; affects later pods only
 * @param nodeSelector labels that a node must have, verbatim
 * @param tolerations verbatim
 */
public record Placement(
        List<String> zones,
        ZoneSpread zoneSpread,
        SortedMap<String, String> nodeSelector,
        List<Toleration> tolerations) {

    /** Anywhere, spread softly. */
    public static final Placement ANYWHERE = new Placement(List.of(), ZoneSpread.BEST_EFFORT, Map.of(), List.of());

    /** Copies its collections. */
    public Placement {
        zones = List.copyOf(zones);
        nodeSelector = Check.sortedCopy(nodeSelector);
        tolerations = List.copyOf(tolerations);
    }

    /** As above, from a map in any order. */
    public Placement(
            List<String> zones, ZoneSpread zoneSpread, Map<String, String> nodeSelector, List<Toleration> tolerations) {
        this(zones, zoneSpread, Check.sortedCopy(nodeSelector), tolerations);
    }
}
