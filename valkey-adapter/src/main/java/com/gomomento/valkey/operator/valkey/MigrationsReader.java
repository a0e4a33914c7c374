package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SlotRange;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.SlotMigration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One node's {@code CLUSTER GETSLOTMIGRATIONS}, read whole or not at all. Each entry is a map: {@code operation} is
 * {@code EXPORT} or {@code IMPORT}, {@code slot_ranges} looks like {@code 0-5 9-9}.
 */
final class MigrationsReader {

    /** States after which nothing happens any more; all others are steps. */
    private static final Set<String> ENDED = Set.of("success", "failed", "cancelled");

    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})-(\\d{1,5})");

    private MigrationsReader() {}

    /** All entries; none when the server is older than 9.0 and does not know the command. */
    static List<SlotMigration> read(Reply reply) throws MalformedReply {
        return switch (reply) {
            case Reply.Items entries -> {
                List<SlotMigration> migrations = new ArrayList<>();
                for (Reply entry : entries.items()) {
                    SortedMap<String, String> fields = fields(entry);
                    // A replica tells what its primary takes part in, without the ends; the primary tells it whole.
                    if (fields.containsKey("source_node") || fields.containsKey("target_node")) {
                        migrations.add(migration(fields));
                    }
                }
                yield List.copyOf(migrations);
            }
            case Reply.Refusal refusal when refusal.words().startsWith("ERR unknown subcommand") -> List.of();
            case Reply.Refusal refusal ->
                throw new MalformedReply("CLUSTER GETSLOTMIGRATIONS was refused", refusal.words());
            case Reply.Text text -> throw new MalformedReply("CLUSTER GETSLOTMIGRATIONS gave no array", text.value());
        };
    }

    private static SlotMigration migration(SortedMap<String, String> fields) throws MalformedReply {
        try {
            String state = field(fields, "state");
            return new SlotMigration(
                    switch (field(fields, "operation")) {
                        case "EXPORT" -> true;
                        case "IMPORT" -> false;
                        default -> throw new IllegalArgumentException("operation is neither EXPORT nor IMPORT");
                    },
                    slots(field(fields, "slot_ranges")),
                    new NodeId(field(fields, "source_node")),
                    new NodeId(field(fields, "target_node")),
                    !ENDED.contains(state),
                    state,
                    field(fields, "message"));
        } catch (IllegalArgumentException e) {
            throw new MalformedReply(
                    "CLUSTER GETSLOTMIGRATIONS has an entry that is wrong (" + e.getMessage() + ")", fields.toString());
        }
    }

    private static SortedMap<String, String> fields(Reply entry) throws MalformedReply {
        SortedMap<String, String> fields = new TreeMap<>();
        if (entry instanceof Reply.Items items && items.items().size() % 2 == 0) {
            for (int i = 0; i < items.items().size(); i += 2) {
                if (items.items().get(i) instanceof Reply.Text name
                        && items.items().get(i + 1) instanceof Reply.Text value) {
                    fields.put(name.value(), value.value());
                }
            }
            return fields;
        }
        throw new MalformedReply("CLUSTER GETSLOTMIGRATIONS has an entry that is no map", entry.toString());
    }

    private static String field(SortedMap<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no " + name);
        }
        return value;
    }

    private static SlotSet slots(String text) {
        List<SlotRange> ranges = new ArrayList<>();
        for (String range : text.split(" ", -1)) {
            Matcher ends = RANGE.matcher(range);
            if (!ends.matches()) {
                throw new IllegalArgumentException("'" + range + "' is no slot range");
            }
            ranges.add(new SlotRange(Integer.parseInt(ends.group(1)), Integer.parseInt(ends.group(2))));
        }
        return SlotSet.of(ranges);
    }
}
