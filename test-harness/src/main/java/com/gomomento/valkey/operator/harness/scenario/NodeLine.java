package com.gomomento.valkey.operator.harness.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One line of {@code CLUSTER NODES}: what one node believes of another, or says of itself.
 *
 * @param id 40 hex digits
 * @param address as it stands there: {@code ip:port@busport,hostname}
 * @param flags such as {@code myself}, {@code master}, {@code fail?}
 * @param primary whom it follows
 * @param connected whether the link on the bus is up
 * @param slots such as {@code 0-5460}
 * @param openSlots such as {@code [42->-1f2e...]}, of a migration under way
 */
public record NodeLine(
        String id,
        String address,
        Set<String> flags,
        Optional<String> primary,
        boolean connected,
        List<String> slots,
        List<String> openSlots) {

    private static final int FIXED_FIELDS = 8;

    /** Copies its collections. */
    public NodeLine {
        flags = new TreeSet<>(flags);
        slots = List.copyOf(slots);
        openSlots = List.copyOf(openSlots);
    }

    /** How many slots the line gives to the node. */
    public int slotCount() {
        return slots.stream()
                .map(range -> range.split("-"))
                .mapToInt(ends -> Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1)
                .sum();
    }

    static NodeLine parse(String line) {
        String[] fields = line.split(" ", -1);
        if (fields.length < FIXED_FIELDS) {
            throw new ScenarioFailure("a line of CLUSTER NODES has " + fields.length + " fields: " + line);
        }
        List<String> slots = new ArrayList<>();
        List<String> open = new ArrayList<>();
        for (String range : Arrays.asList(fields).subList(FIXED_FIELDS, fields.length)) {
            if (!range.isBlank()) {
                (range.startsWith("[") ? open : slots).add(range);
            }
        }
        return new NodeLine(
                fields[0],
                fields[1],
                Set.of(fields[2].split(",")),
                Optional.of(fields[3]).filter(id -> !id.equals("-")),
                fields[7].equals("connected"),
                slots,
                open);
    }

    boolean isPrimary() {
        return flags.contains("master");
    }

    /** What is wrong with it in a cluster at rest. */
    List<String> troubles() {
        List<String> troubles = new ArrayList<>();
        for (String flag : flags) {
            if (flag.startsWith("fail") || flag.equals("noaddr") || flag.equals("handshake")) {
                troubles.add(flag);
            }
        }
        if (!connected && !flags.contains("myself")) {
            troubles.add("not connected");
        }
        openSlots.forEach(slot -> troubles.add("open slot " + slot));
        return troubles;
    }
}
