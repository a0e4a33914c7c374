package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.SecretText;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A connection to one server as the operator's own user. After its first failure it serves no more. */
final class AdminConnection implements AutoCloseable {

    private final GlideLink link;
    private final SecretText password;
    private final AtomicBoolean finished = new AtomicBoolean();
    private volatile boolean proven;
    private volatile long lastUse;

    AdminConnection(GlideLink link, SecretText password, long nanoTime) {
        this.link = link;
        this.password = password;
        this.lastUse = nanoTime;
    }

    /**
     * Sends all commands in one round trip.
     *
     * @param limit for the round trip
     * @return one reply a command, in their order
     * @throws NoAnswer when none came in time; the commands may have been run
     */
    List<Reply> ask(List<List<String>> commands, Duration limit) throws NoAnswer {
        return ask(commands, limit, StandardCharsets.UTF_8);
    }

    /**
     * Sends all commands in one round trip, for words that may not be text, such as keys.
     *
     * @param charset of the words, both ways; ISO 8859-1 makes each byte a character
     */
    List<Reply> ask(List<List<String>> commands, Duration limit, Charset charset) throws NoAnswer {
        try {
            List<Reply> replies = link.ask(commands, limit, charset);
            proven = true;
            return replies;
        } catch (NoAnswer e) {
            close();
            throw e;
        }
    }

    /** Whether it is whole, and was opened with this password. */
    boolean serves(SecretText wanted) {
        return !finished.get() && password.equals(wanted);
    }

    /** Whether it ever gave an answer. */
    boolean proven() {
        return proven;
    }

    /** Marks it as used at this reading of the clock. */
    void touch(long nanoTime) {
        lastUse = nanoTime;
    }

    /** The clock's reading at its last use. */
    long lastUse() {
        return lastUse;
    }

    @Override
    public void close() {
        if (finished.compareAndSet(false, true)) {
            link.close();
        }
    }
}
