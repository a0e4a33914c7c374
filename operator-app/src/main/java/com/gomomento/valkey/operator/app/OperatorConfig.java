package com.gomomento.valkey.operator.app;

import com.gomomento.valkey.operator.core.model.ZoneSpread;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the ConfigMap {@code valkey-operator-config} says, read once at start.
 *
 * @param defaultZoneSpread for clusters that don't say; {@code bestEffort} when it is not set
 */
record OperatorConfig(ZoneSpread defaultZoneSpread) {

    /** Name of the ConfigMap, in the operator's own namespace. */
    static final String CONFIG_MAP = "valkey-operator-config";

    private static final String DEFAULT_ZONE_SPREAD = "defaultZoneSpread";

    /**
     * Reads the ConfigMap's data. Keys of other versions are left alone.
     *
     * @throws IllegalArgumentException with a sentence that names the key, its value and what is allowed
     */
    static OperatorConfig parse(Map<String, String> data) {
        String spread = data.getOrDefault(DEFAULT_ZONE_SPREAD, ZoneSpread.BEST_EFFORT.word());
        return Stream.of(ZoneSpread.values())
                .filter(value -> value.word().equals(spread))
                .findFirst()
                .map(OperatorConfig::new)
                .orElseThrow(() -> new IllegalArgumentException(DEFAULT_ZONE_SPREAD + " of ConfigMap " + CONFIG_MAP
                        + " is '" + spread + "', allowed is bestEffort or required"));
    }
}
