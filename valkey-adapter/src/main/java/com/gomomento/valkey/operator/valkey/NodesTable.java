package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotRange;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.Beliefs;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.MemberBelief.Health;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
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
 * @param view all lines, its own included
 */
record NodesTable(NodeId self, Beliefs view) {

    private static final int FIXED_FIELDS = 8;
    private static final Pattern FLAG = Pattern.compile("[a-z_-]+\\??");
    private static final Pattern OPEN_SLOT = Pattern.compile("\\[(\\d{1,5})-([<>])-([0-9a-f]{40})]");
    private static final Pattern SLOTS = Pattern.compile("\\d{1,5}(-\\d{1,5})?");
    private static final Pattern PORTS = Pattern.compile("\\d{1,5}(@\\d{1,5})?");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,19}");

    /** Views that were read already, by the lines that they were read from. Safe for use by many threads. */
    static final class Known {
        private final Map<Set<Line>, Beliefs> views = new ConcurrentHashMap<>();
    }

    /**
     * What a line says, without what differs between two nodes that believe the same: who of them printed it, and when it
     * last heard of the other.
     *
     * @param fields id, address, flags, primary, epoch, link and slots
     */
    private record Line(List<String> fields) {}

    /**
     * Reads the text.
     *
     * @param known views of other nodes; a node that believes the same is given the same instance, and nothing is read twice
     * @throws MalformedReply for anything that a server does not print: another form of line, no own line or two, an id or a
     *     slot that comes twice, a text that is cut off
     */
    static NodesTable parse(String text, Known known) throws MalformedReply {
        if (!text.endsWith("\n")) {
            throw new MalformedReply("CLUSTER NODES does not end with a line end", text);
        }
        Set<Line> lines = new HashSet<>();
        List<String> selves = new ArrayList<>();
        for (String raw : text.substring(0, text.length() - 1).split("\r?\n", -1)) {
            List<String> fields = new ArrayList<>(List.of(raw.split(" ", -1)));
            if (fields.size() < FIXED_FIELDS) {
                throw new MalformedReply("CLUSTER NODES has a line of " + fields.size() + " fields", raw);
            }
            List<String> times = fields.subList(4, 6);
            if (!times.stream().allMatch(time -> NUMBER.matcher(time).matches())) {
                throw new MalformedReply("CLUSTER NODES has a line without its two times", raw);
            }
            times.clear();
            List<String> flags = new ArrayList<>(List.of(fields.get(2).split(",", -1)));
            if (flags.remove("myself")) {
                selves.add(fields.get(0));
                fields.set(2, String.join(",", flags));
            }
            if (!lines.add(new Line(List.copyOf(fields)))) {
                throw new MalformedReply("CLUSTER NODES has a line twice", raw);
            }
        }
        if (selves.size() != 1) {
            throw new MalformedReply("CLUSTER NODES has " + selves.size() + " own lines instead of one", text);
        }
        Beliefs view = known.views.get(lines);
        if (view == null) {
            Beliefs read = view(lines);
            Beliefs first = known.views.putIfAbsent(lines, read);
            view = first == null ? read : first;
        }
        return new NodesTable(new NodeId(selves.getFirst()), view);
    }

    private static Beliefs view(Set<Line> lines) throws MalformedReply {
        SortedMap<NodeId, MemberBelief> members = new TreeMap<>();
        SlotSet owned = SlotSet.EMPTY;
        for (Line line : lines) {
            MemberBelief member = member(line.fields());
            if (members.put(member.id(), member) != null) {
                throw new MalformedReply(
                        "CLUSTER NODES has an id twice", member.id().value());
            }
            if (owned.intersects(member.slots())) {
                throw new MalformedReply(
                        "CLUSTER NODES has a slot twice, once with", member.id().value());
            }
            owned = owned.plus(member.slots());
        }
        return new Beliefs(members);
    }

    /** The own line. */
    MemberBelief own() {
        return view.of(self).orElseThrow(() -> new IllegalStateException("node " + self + " is not in its own table"));
    }

    private static MemberBelief member(List<String> fields) throws MalformedReply {
        try {
            Set<String> flags = flags(fields.get(2));
            Address address = address(fields.get(1));
            List<SlotRange> ranges = new ArrayList<>();
            List<OpenSlot> open = new ArrayList<>();
            for (String slots : fields.subList(FIXED_FIELDS - 2, fields.size())) {
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
                    new NodeId(fields.get(0)),
                    address.ip(),
                    address.hostname(),
                    flags.contains("slave") ? Role.REPLICA : Role.PRIMARY,
                    fields.get(3).equals("-") ? Optional.empty() : Optional.of(new NodeId(fields.get(3))),
                    health(flags),
                    flags.contains("handshake"),
                    linkUp(fields.get(5)),
                    new ConfigEpoch(epoch(fields.get(4))),
                    SlotSet.of(ranges),
                    open);
        } catch (IllegalArgumentException e) {
            throw new MalformedReply(
                    "CLUSTER NODES has a line that is wrong (" + e.getMessage() + ")", String.join(" ", fields));
        }
    }

    private static Set<String> flags(String field) {
        Set<String> flags = Set.of(field.split(",", -1));
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

    private static long epoch(String field) {
        require(NUMBER.matcher(field).matches(), "'" + field + "' is no count");
        return Long.parseLong(field);
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
