package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable;
import com.gomomento.valkey.operator.core.observe.NodeReport.Unreachable.Reason;
import com.gomomento.valkey.operator.core.port.ValkeyPort.Target;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The open connections, one for each (ip, port). A connection that failed is thrown away and made anew at the next use; one
 * that nobody used for a while is closed, and so is the longest unused one when there are too many.
 */
final class Connections implements AutoCloseable {

    private final GlideValkeyPort.Settings settings;
    private final LongSupplier nanoClock;
    private final Map<Address, AdminConnection> open = new ConcurrentHashMap<>();
    private final Semaphore openings;

    Connections(GlideValkeyPort.Settings settings, LongSupplier nanoClock) {
        this.settings = settings;
        this.nanoClock = nanoClock;
        this.openings = new Semaphore(settings.openingsAtOnce());
    }

    private record Address(String ip, int port) {}

    /**
     * The connection to a target.
     *
     * @throws NoAnswer when the server can't be talked to; no client is made then
     */
    AdminConnection to(Target target) throws NoAnswer {
        Address address = new Address(target.ip(), target.port());
        AdminConnection known = open.get(address);
        if (known != null && known.serves(target.password())) {
            known.touch(nanoClock.getAsLong());
            return known;
        }
        AdminConnection fresh = connect(target);
        // Somebody else may have connected meanwhile, and may be using it.
        AdminConnection kept = open.merge(
                address,
                fresh,
                (current, mine) -> current.serves(target.password()) ? current : replace(current, mine));
        if (kept != fresh) {
            fresh.close();
        }
        closeSurplus();
        return kept;
    }

    private static AdminConnection replace(AdminConnection current, AdminConnection fresh) {
        current.close();
        return fresh;
    }

    /**
     * Asks what changes nothing, and therefore once more when a connection that had answered before gives no answer: the
     * server may have been restarted since, which GLIDE notices late. The second time begins with a knock, which tells a
     * frozen server from one that is gone, and ends there for both.
     */
    List<Reply> ask(Target target, List<List<String>> questions) throws NoAnswer {
        AdminConnection connection = to(target);
        try {
            return connection.ask(questions, settings.observe());
        } catch (NoAnswer e) {
            if (!connection.proven()) {
                throw e;
            }
            return to(target).ask(questions, settings.observe());
        }
    }

    private AdminConnection connect(Target target) throws NoAnswer {
        try {
            if (!openings.tryAcquire(settings.observe().toMillis(), TimeUnit.MILLISECONDS)) {
                throw new NoAnswer(
                        Reason.OTHER,
                        "no turn to connect came within " + settings.observe().toMillis() + " ms");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswer(Reason.OTHER, "interrupted while waiting to connect");
        }
        try {
            Optional<Unreachable> refusal = SocketProbe.knock(target, settings.knock());
            if (refusal.isPresent()) {
                throw new NoAnswer(refusal.get());
            }
            return new AdminConnection(GlideLink.open(target), target.password(), nanoClock.getAsLong());
        } finally {
            openings.release();
        }
    }

    /** Closes what was not used for the time that the settings name. */
    void closeIdle() {
        long now = nanoClock.getAsLong();
        long idle = settings.idle().toNanos();
        open.forEach((address, connection) -> {
            if (now - connection.lastUse() > idle && open.remove(address, connection)) {
                connection.close();
            }
        });
    }

    private void closeSurplus() {
        int surplus = open.size() - settings.connections();
        if (surplus <= 0) {
            return;
        }
        List<Map.Entry<Address, AdminConnection>> oldestFirst = new ArrayList<>(open.entrySet());
        oldestFirst.sort(Comparator.comparingLong(entry -> entry.getValue().lastUse()));
        oldestFirst.stream().limit(surplus).forEach(entry -> {
            if (open.remove(entry.getKey(), entry.getValue())) {
                entry.getValue().close();
            }
        });
    }

    /** How many are open. */
    int size() {
        return open.size();
    }

    @Override
    public void close() {
        open.values().forEach(AdminConnection::close);
        open.clear();
    }
}
