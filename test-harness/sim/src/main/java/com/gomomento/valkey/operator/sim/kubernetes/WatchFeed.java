package com.gomomento.valkey.operator.sim.kubernetes;

import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.Life;
import com.gomomento.valkey.operator.sim.Timeline;

/**
 * One operator's watch of one kind: a list, then every change in its order, each some time after it happened. It may go deaf
 * and take up its thread later, or lose it and list anew. No change is ever skipped; that is what the API guarantees and the
 * real adapter relies on.
 */
final class WatchFeed {

    private final Kind kind;
    private final ApiServer api;
    private final Timeline timeline;
    private final Dice dice;
    private final KindMirror mirror;
    private final ApiWeather weather;
    private final Life life;
    private final Runnable listed;
    private int heard;
    private int planned;
    private long connection;
    private boolean connected;
    private boolean deaf;
    private long lastDeliveryMillis;

    WatchFeed(
            Kind kind,
            ApiServer api,
            Timeline timeline,
            Dice dice,
            KindMirror mirror,
            ApiWeather weather,
            Life life,
            Runnable listed) {
        this.kind = kind;
        this.api = api;
        this.timeline = timeline;
        this.dice = dice;
        this.mirror = mirror;
        this.weather = weather;
        this.life = life;
        this.listed = listed;
    }

    /** Loses its thread; lists anew after a pause. */
    void list(long pauseMillis) {
        connected = false;
        deaf = false;
        connection++;
        long mine = connection;
        timeline.after(pauseMillis, () -> {
            if (mine == connection && !life.ended()) {
                long asked = timeline.nowMillis();
                timeline.after(weather.latencyMillis(dice), () -> answered(mine, asked));
            }
        });
    }

    private void answered(long mine, long asked) {
        if (mine != connection || life.ended()) {
            return;
        }
        heard = api.history(kind).size();
        mirror.listed(api.list(kind), asked);
        follow();
        listed.run();
    }

    /** Hears nothing for a while, then goes on where it stopped. */
    void goDeaf(long durationMillis) {
        if (!connected) {
            return;
        }
        connected = false;
        deaf = true;
        connection++;
        long mine = connection;
        timeline.after(durationMillis, () -> {
            if (mine == connection && !life.ended()) {
                follow();
            }
        });
    }

    /** Hears again, if it was deaf. */
    void mend() {
        if (deaf && !life.ended()) {
            connection++;
            follow();
        }
    }

    private void follow() {
        connected = true;
        deaf = false;
        planned = heard;
        deliverNews();
    }

    /** Plans the delivery of whatever has happened since the last one that is planned. */
    void deliverNews() {
        if (!connected || life.ended()) {
            return;
        }
        long mine = connection;
        while (planned < api.history(kind).size()) {
            planned++;
            long due = timeline.nowMillis() + weather.lagMillis(dice);
            lastDeliveryMillis = Math.max(lastDeliveryMillis, due);
            timeline.after(lastDeliveryMillis - timeline.nowMillis(), () -> deliver(mine));
        }
    }

    private void deliver(long mine) {
        if (mine != connection || life.ended()) {
            return;
        }
        ApiServer.Change change = api.history(kind).get(heard);
        heard++;
        mirror.observed(change, timeline.nowMillis());
    }
}
