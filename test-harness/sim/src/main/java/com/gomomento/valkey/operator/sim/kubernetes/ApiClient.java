package com.gomomento.valkey.operator.sim.kubernetes;

import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.Life;
import com.gomomento.valkey.operator.sim.Timeline;
import com.gomomento.valkey.operator.sim.kubernetes.WriteListener.Verb;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** One operator's way to the API server: every call takes time, in which the world goes on, and may go wrong. */
final class ApiClient {

    /** After which the real adapter gives a call up. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ApiServer api;
    private final Timeline timeline;
    private final Dice dice;
    private final ApiWeather weather;
    private final Life life;
    private final WriteListener writes;

    ApiClient(ApiServer api, Timeline timeline, Dice dice, ApiWeather weather, Life life, WriteListener writes) {
        this.api = api;
        this.timeline = timeline;
        this.dice = dice;
        this.weather = weather;
        this.life = life;
        this.writes = writes;
    }

    long nowMillis() {
        return timeline.nowMillis();
    }

    Timeline timeline() {
        return timeline;
    }

    Dice dice() {
        return dice;
    }

    Reply get(ObjectKey key) {
        return call(
                false,
                () -> api.get(key)
                        .<Reply>map(Reply.Found::new)
                        .orElseGet(() -> new Reply.NotFound(key + " not found")));
    }

    Reply create(ObjectKey key, String owner, Content content) {
        return call(true, () -> {
            Reply reply = api.create(key, Optional.of(owner), content);
            if (reply instanceof Reply.Found(Stored made)) {
                writes.wrote(Verb.CREATE, made, made);
            }
            return reply;
        });
    }

    Reply update(ObjectKey key, String uid, UnaryOperator<Content> how) {
        return write(key, () -> api.update(key, Optional.of(uid), OptionalLong.empty(), how));
    }

    Reply updateStatus(ObjectKey key, long version, UnaryOperator<Content> how) {
        return write(key, () -> api.updateStatus(key, OptionalLong.of(version), how));
    }

    Reply apply(ObjectKey key, String uid, Content content) {
        return write(key, () -> api.apply(key, uid, content));
    }

    private Reply write(ObjectKey key, Supplier<Reply> what) {
        return call(true, () -> {
            Optional<Stored> before = api.get(key);
            Reply reply = what.get();
            if (reply instanceof Reply.Found(Stored after)
                    && before.isPresent()
                    && after.version() != before.get().version()) {
                writes.wrote(Verb.UPDATE, before.get(), after);
            }
            return reply;
        });
    }

    Reply delete(ObjectKey key, String uid, int graceSeconds) {
        return call(true, () -> {
            Optional<Stored> before = api.get(key);
            Reply reply = api.delete(key, Optional.of(uid), graceSeconds);
            if (before.isPresent()) {
                Stored old = before.get();
                if (reply instanceof Reply.Deleted) {
                    writes.wrote(Verb.DELETE, old, old);
                } else if (reply instanceof Reply.Found(Stored after) && after.version() != old.version()) {
                    writes.wrote(Verb.DELETE, old, after);
                }
            }
            return reply;
        });
    }

    private Reply call(boolean write, Supplier<Reply> what) {
        life.check();
        ApiWeather.Fate fate = weather.next(dice, write);
        if (fate == ApiWeather.Fate.NOT_SENT) {
            return new Reply.NotSent("connection refused");
        }
        pass(Duration.ofMillis(weather.latencyMillis(dice)));
        return switch (fate) {
            case LOST_BEFORE -> {
                pass(PATIENCE);
                yield new Reply.Silence("no answer within 10 s");
            }
            case ERROR_BEFORE -> new Reply.ServerError("etcdserver: leader changed");
            case REFUSED -> new Reply.Forbidden("admission webhook denied the request");
            case FINE -> {
                Reply reply = what.get();
                pass(Duration.ofMillis(weather.latencyMillis(dice)));
                yield reply;
            }
            case LOST_AFTER -> {
                Reply _ = what.get();
                pass(PATIENCE);
                yield new Reply.Silence("no answer within 10 s");
            }
            case ERROR_AFTER -> {
                Reply _ = what.get();
                pass(Duration.ofMillis(weather.latencyMillis(dice)));
                yield new Reply.ServerError("etcdserver: request timed out");
            }
            case NOT_SENT -> throw new IllegalStateException("returned above");
        };
    }

    private void pass(Duration time) {
        life.check();
        timeline.pass(time);
        life.check();
    }
}
