package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import com.gomomento.valkey.operator.valkey.ActionExecutor.Seen;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One call's worth of moving slots key by key, as the cluster specification lays it down, some slots at a time:
 *
 * <ol>
 *   <li>target: {@code SETSLOT IMPORTING}; source: {@code SETSLOT MIGRATING}. From then on the source creates no key in the
 *       slot, and sends clients on for those that it has not;
 *   <li>source: {@code GETKEYSINSLOT} and {@code MIGRATE} until no key is left;
 *   <li>target: {@code SETSLOT NODE}, which gives it the slot and tells everybody; then the source the same.
 * </ol>
 *
 * <p>Nothing is remembered from call to call: where a slot stands is read from both ends, and each step is left out that was
 * done. As long as the source holds a key, it is the source that serves it; what the target has of it is left over from a
 * {@code MIGRATE} that was cut short, so it is replaced. A slot is given away only when the source has just counted no key
 * in it, since a source that learns of another owner deletes what keys it has.
 */
final class SlotMove {

    /** Keys are bytes; so each byte is a character here. */
    private static final Charset BYTES = StandardCharsets.ISO_8859_1;

    private static final Duration LONGEST_CALL = Duration.ofMillis(1500);
    private static final int SLOTS_AT_A_TIME = 16;
    private static final int FIRST_KEYS = 16;
    private static final int MOST_KEYS = 256;

    /** The source serves nobody during a {@code MIGRATE}: a batch that takes this long is followed by a smaller one. */
    private static final long LONG_BATCH_MILLIS = 50;

    /** How long the source waits for the target without any progress. */
    private static final int BATCH_TIMEOUT_MILLIS = 500;

    /** The same for a key alone, which may be a big one. Below our members' node timeout, after which the source is failed. */
    private static final int KEY_TIMEOUT_MILLIS = 3000;

    private final ActionExecutor executor;
    private final Seen source;
    private final Seen target;
    private final Target address;
    private final Set<NodeId> slow;
    private final long end = System.nanoTime() + LONGEST_CALL.toNanos();
    private int keysAtATime = FIRST_KEYS;
    private boolean begun;

    /**
     * A move that has not begun.
     *
     * @param source just looked at
     * @param target just looked at
     * @param address of the target
     * @param slow sources whose last batch timed out
     */
    SlotMove(ActionExecutor executor, Seen source, Seen target, Target address, Set<NodeId> slow) {
        this.executor = executor;
        this.source = source;
        this.target = target;
        this.address = address;
        this.slow = slow;
    }

    /** A server refused to go on. */
    static final class Stopped extends Exception {

        private static final long serialVersionUID = 1L;

        Stopped(String sentence) {
            super(sentence);
        }

        /** For people, without any credential. */
        String sentence() {
            return String.valueOf(getMessage());
        }
    }

    /** How the source logs in at the target. */
    private record Login(List<String> words, String secret) {}

    /** Whether anything was changed, or may have been. */
    boolean begun() {
        return begun;
    }

    /** Moves as many of {@code slots} as the time allows. */
    void run(SlotSet slots) throws NoAnswer, Stopped {
        SlotSet owned = source.now().self().slots();
        SlotSet given = target.now().self().slots();
        SlotSet nobodys = slots.minus(owned).minus(given);
        if (!nobodys.isEmpty()) {
            throw new Stopped("slots " + nobodys + " are owned by neither end");
        }
        SlotSet rest = slots.and(owned.plus(open(source.now(), target.now().id(), true)));
        if (rest.isEmpty()) {
            return;
        }
        Login login = login();
        while (!rest.isEmpty() && isTimeLeft()) {
            SlotSet some = rest.first(isSlow() ? 1 : SLOTS_AT_A_TIME);
            move(some, given, login);
            rest = rest.minus(some);
        }
    }

    private boolean isTimeLeft() {
        return System.nanoTime() < end;
    }

    private boolean isSlow() {
        return slow.contains(source.now().id());
    }

    private static SlotSet open(Reachable node, NodeId peer, boolean outgoing) {
        return SlotSet.union(node.self().openSlots().stream()
                .filter(slot -> slot.outgoing() == outgoing && slot.peer().equals(peer))
                .map(slot -> SlotSet.of(slot.slot()))
                .toList());
    }

    /** The source logs in as members do at each other: as it does at a primary that it follows. */
    private Login login() throws NoAnswer, Stopped {
        List<List<String>> questions =
                List.of(List.of("CONFIG", "GET", "primaryuser"), List.of("CONFIG", "GET", "primaryauth"));
        List<String> values = new ArrayList<>();
        for (Reply reply : executor.ask(source, questions, BYTES)) {
            List<String> pair = texts(reply);
            values.add(pair.size() == 2 ? pair.getLast() : "");
        }
        String user = values.get(0);
        String secret = values.get(1);
        if (secret.isEmpty()) {
            return new Login(List.of(), "");
        }
        return new Login(user.isEmpty() ? List.of("AUTH", secret) : List.of("AUTH2", user, secret), secret);
    }

    private void move(SlotSet slots, SlotSet given, Login login) throws NoAnswer, Stopped {
        SlotSet moving = slots.minus(given);
        SlotSet importing = open(target.now(), source.now().id(), false);
        SlotSet migrating = open(source.now(), target.now().id(), true);
        begun = true;
        tell(target, setSlot(moving.minus(importing), "IMPORTING", source.now().id()));
        tell(source, setSlot(moving.minus(migrating), "MIGRATING", target.now().id()));
        List<Integer> numbers = numbers(slots);
        List<Reply> first =
                executor.ask(source, numbers.stream().map(this::keysIn).toList(), BYTES);
        for (int i = 0; i < numbers.size(); i++) {
            // The target may have been told already, by a call that was cut short. It then has the newer key.
            boolean replace = moving.contains(numbers.get(i));
            drain(numbers.get(i), texts(first.get(i)), replace, login);
        }
        SlotSet empty = empty(slots);
        tell(target, setSlot(empty.and(moving), "NODE", target.now().id()));
        tell(source, setSlot(empty, "NODE", target.now().id()));
        if (empty.equals(slots)) {
            slow.remove(source.now().id());
        }
    }

    private static List<Integer> numbers(SlotSet slots) {
        List<Integer> numbers = new ArrayList<>();
        slots.ranges().forEach(range -> {
            for (int slot = range.first(); slot <= range.last(); slot++) {
                numbers.add(slot);
            }
        });
        return numbers;
    }

    private static List<List<String>> setSlot(SlotSet slots, String state, NodeId peer) {
        return numbers(slots).stream()
                .map(slot -> List.of("CLUSTER", "SETSLOT", Integer.toString(slot), state, peer.value()))
                .toList();
    }

    private void tell(Seen node, List<List<String>> commands) throws NoAnswer, Stopped {
        if (!commands.isEmpty()) {
            for (Reply reply : executor.ask(node, commands, BYTES)) {
                texts(reply);
            }
        }
    }

    /** Sends keys of a slot on until none is left or the time is up. */
    private void drain(int slot, List<String> first, boolean replace, Login login) throws NoAnswer, Stopped {
        List<String> keys = first;
        while (!keys.isEmpty() && isTimeLeft()) {
            long start = System.nanoTime();
            List<Reply> replies = executor.ask(source, List.of(migrate(keys, replace, login), keysIn(slot)), BYTES);
            long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            if (replies.getFirst() instanceof Reply.Refusal refusal) {
                if (refusal.hasCode("IOERR")) {
                    slow.add(source.now().id());
                }
                throw new Stopped("moving keys of slot " + slot + ": "
                        + (login.secret().isEmpty()
                                ? refusal.words()
                                : ServerWords.redact(refusal.words(), SecretText.of(login.secret()))));
            }
            keysAtATime = tookMillis > LONG_BATCH_MILLIS
                    ? Math.max(1, keysAtATime / 2)
                    : Math.min(MOST_KEYS, keysAtATime * 2);
            keys = texts(replies.getLast());
        }
    }

    private List<String> keysIn(int slot) {
        int count = isSlow() ? 1 : keysAtATime;
        return List.of("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), Integer.toString(count));
    }

    private List<String> migrate(List<String> keys, boolean replace, Login login) {
        int timeoutMillis = keys.size() == 1 ? KEY_TIMEOUT_MILLIS : BATCH_TIMEOUT_MILLIS;
        List<String> command = new ArrayList<>(List.of(
                "MIGRATE", address.ip(), Integer.toString(address.port()), "", "0", Integer.toString(timeoutMillis)));
        if (replace) {
            command.add("REPLACE");
        }
        command.addAll(login.words());
        command.add("KEYS");
        command.addAll(keys);
        return List.copyOf(command);
    }

    private SlotSet empty(SlotSet slots) throws NoAnswer, Stopped {
        List<Integer> numbers = numbers(slots);
        List<List<String>> questions = numbers.stream()
                .map(slot -> List.of("CLUSTER", "COUNTKEYSINSLOT", Integer.toString(slot)))
                .toList();
        List<Reply> counts = executor.ask(source, questions, BYTES);
        SlotSet empty = SlotSet.EMPTY;
        for (int i = 0; i < numbers.size(); i++) {
            if (texts(counts.get(i)).equals(List.of("0"))) {
                empty = empty.plus(SlotSet.of(numbers.get(i)));
            }
        }
        return empty;
    }

    private static List<String> texts(Reply reply) throws Stopped {
        return switch (reply) {
            case Reply.Text text -> List.of(text.value());
            case Reply.Items items -> {
                List<String> texts = new ArrayList<>();
                for (Reply item : items.items()) {
                    texts.addAll(texts(item));
                }
                yield texts;
            }
            case Reply.Refusal refusal -> throw new Stopped(refusal.words());
        };
    }
}
