package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotRange;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.MemberBelief.Health;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One node's {@code CLUSTER NODES}, read whole or not at all.
 *
 * <p>A line is {@code id address flags primary ping-sent pong-received epoch link slots...}; the address is
 * {@code ip:port@busport[,hostname[,aux=value...]]}, with no ip when it is unknown. Slots are {@code 5}, {@code 0-99},
 * {@code [77->-id]} (moves out) or {@code [77-<-id]} (moves in). Flags that are not known here are passed over, since newer
 * servers may add some.
 *
 * @param self the node that was asked
 * @param members all lines, its own included
 */
record NodesTable(NodeId self, SortedMap<NodeId, MemberBelief> members) {

    private static final int FIXED_FIELDS = 8;
    private static final Pattern FLAG = Pattern.compile("[a-z_-]+\\??");
    private static final Pattern OPEN_SLOT = Pattern.compile("\\[(\\d{1,5})-([<>])-([0-9a-f]{40})]");
    private static final Pattern SLOTS = Pattern.compile("\\d{1,5}(-\\d{1,5})?");
    private static final Pattern PORTS = Pattern.compile("\\d{1,5}(@\\d{1,5})?");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,19}");

    /**
     * Reads the text.
     *
     * @throws MalformedReply for anything that a server does not print: another form of line, no own line or two, an id or a
     *     slot that comes twice, a text that is cut off
     */
    static NodesTable parse(String text) throws MalformedReply {
        if (!text.endsWith("\n")) {
            throw new MalformedReply("CLUSTER NODES does not end with a line end", text);
        }
        SortedMap<NodeId, MemberBelief> members = new TreeMap<>();
        List<NodeId> selves = new ArrayList<>();
        SlotSet owned = SlotSet.EMPTY;
        for (String line : text.substring(0, text.length() - 1).split("\r?\n", -1)) {
            MemberBelief member = member(line);
            if (members.put(member.id(), member) != null) {
                throw new MalformedReply("CLUSTER NODES has an id twice", line);
            }
            if (owned.intersects(member.slots())) {
                throw new MalformedReply("CLUSTER NODES has a slot twice", line);
            }
            owned = owned.plus(member.slots());
            if (flags(line.split(" ", -1)).contains("myself")) {
                selves.add(member.id());
            }
        }
        if (selves.size() != 1) {
            throw new MalformedReply("CLUSTER NODES has " + selves.size() + " own lines instead of one", text);
        }
        return new NodesTable(selves.getFirst(), Collections.unmodifiableSortedMap(members));
    }

    /** The own line. */
    MemberBelief own() {
        MemberBelief own = members.get(self);
        if (own == null) {
            throw new IllegalStateException("node " + self + " is not in its own table");
        }
        return own;
    }

    private static MemberBelief member(String line) throws MalformedReply {
        String[] fields = line.split(" ", -1);
        if (fields.length < FIXED_FIELDS) {
            throw new MalformedReply("CLUSTER NODES has a line of " + fields.length + " fields", line);
        }
        try {
            Set<String> flags = flags(fields);
            Address address = address(fields[1]);
            List<SlotRange> ranges = new ArrayList<>();
            List<OpenSlot> open = new ArrayList<>();
            for (String slots : List.of(fields).subList(FIXED_FIELDS, fields.length)) {
                Matcher openSlot = OPEN_SLOT.matcher(slots);
                if (openSlot.matches()) {
                    open.add(new OpenSlot(
                            Integer.parseInt(openSlot.group(1)),
                            openSlot.group(2).equals(">"),
                            new NodeId(openSlot.group(3))));
                } else {
                    ranges.add(range(slots));
                }
            }
            return new MemberBelief(
                    new NodeId(fields[0]),
                    address.ip(),
                    address.hostname(),
                    flags.contains("slave") ? Role.REPLICA : Role.PRIMARY,
                    fields[3].equals("-") ? Optional.empty() : Optional.of(new NodeId(fields[3])),
                    health(flags),
                    flags.contains("handshake"),
                    linkUp(fields[7]) || flags.contains("myself"),
                    new ConfigEpoch(epoch(fields)),
                    SlotSet.of(ranges),
                    open);
        } catch (IllegalArgumentException e) {
            throw new MalformedReply("CLUSTER NODES has a line that is wrong (" + e.getMessage() + ")", line);
        }
    }

    private static Set<String> flags(String[] fields) {
        Set<String> flags = Set.of(fields[2].split(",", -1));
        require(
                flags.stream().allMatch(flag -> FLAG.matcher(flag).matches()),
                "flags are words in lower case with commas");
        return flags;
    }

    private static Health health(Set<String> flags) {
        if (flags.contains("fail")) {
            return Health.FAILED;
        }
        return flags.contains("fail?") ? Health.SUSPECTED : Health.OK;
    }

    private static boolean linkUp(String state) {
        require(state.equals("connected") || state.equals("disconnected"), "link state is " + state);
        return state.equals("connected");
    }

    /** The config epoch, once the ping and pong times before it are seen to be numbers. */
    private static long epoch(String[] fields) {
        for (String number : List.of(fields).subList(4, 7)) {
            require(NUMBER.matcher(number).matches(), "'" + number + "' is no count");
        }
        return Long.parseLong(fields[6]);
    }

    private static SlotRange range(String slots) {
        require(SLOTS.matcher(slots).matches(), "'" + slots + "' is no slot range");
        int dash = slots.indexOf('-');
        int first = Integer.parseInt(dash < 0 ? slots : slots.substring(0, dash));
        return new SlotRange(first, dash < 0 ? first : Integer.parseInt(slots.substring(dash + 1)));
    }

    private static Address address(String field) {
        String[] parts = field.split(",", -1);
        // The ip may hold colons itself; the port never does.
        int colon = parts[0].lastIndexOf(':');
        require(colon >= 0 && PORTS.matcher(parts[0].substring(colon + 1)).matches(), "address is not ip:port@busport");
        return new Address(word(parts[0].substring(0, colon)), parts.length < 2 ? Optional.empty() : word(parts[1]));
    }

    private static Optional<String> word(String text) {
        return text.isBlank() || text.equals("?") ? Optional.empty() : Optional.of(text);
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) {
            throw new IllegalArgumentException(sentence);
        }
    }

    private record Address(Optional<String> ip, Optional<String> hostname) {}
}
