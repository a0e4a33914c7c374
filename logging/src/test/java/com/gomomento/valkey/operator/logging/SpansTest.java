package com.gomomento.valkey.operator.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

class SpansTest {

    private static final Span OUTER =
            Span.of(Level.INFO, "operator::controller", "reconciling object").with("object.ref", "a.ns1");
    private static final Span INNER =
            Span.of(Level.DEBUG, "operator::x", "step").with("n", 1);

    private final Logger log = LoggerFactory.getLogger("operator.x");

    @Test
    void nestAndEndWithTheCall() {
        assertThat(Spans.current()).isSameAs(SpanContext.NONE);
        Spans.in(OUTER, () -> {
            Spans.in(INNER, () -> assertThat(Spans.current().spans()).containsExactly(OUTER, INNER));
            assertThat(Spans.current().spans()).containsExactly(OUTER);
        });
        assertThat(Spans.current()).isSameAs(SpanContext.NONE);
    }

    @Test
    void passOnResultsAndExceptions() throws IOException {
        assertThat(Spans.<Integer, IOException>call(
                        OUTER, () -> Spans.current().spans().size()))
                .isEqualTo(1);
        assertThatThrownBy(() -> Spans.<Integer, IOException>call(OUTER, () -> {
                    throw new IOException("x");
                }))
                .isInstanceOf(IOException.class);
        assertThat(Spans.current().spans()).isEmpty();
    }

    @Test
    void followWorkToOtherThreadsOnlyWhenTakenAlong() throws InterruptedException {
        LogCapture capture = LogCapture.install("trace");
        Spans.in(OUTER, () -> {
            SpanContext here = Spans.current();
            join(Thread.ofVirtual().start(() -> log.info("left behind")));
            join(Thread.ofVirtual().start(here.wrap(() -> log.info("taken along"))));
            join(Thread.ofPlatform().start(() -> here.run(() -> Spans.in(INNER, () -> log.info("and deeper")))));
            assertThat(here.<Integer, RuntimeException>call(
                            () -> Spans.current().spans().size()))
                    .isEqualTo(1);
        });

        List<JsonNode> lines = capture.lines();
        assertThat(lines.get(0).has("span")).isFalse();
        assertThat(lines.get(0).has("spans")).isFalse();
        assertThat(lines.get(1).at("/span/object.ref").asText()).isEqualTo("a.ns1");
        assertThat(lines.get(2).at("/span/name").asText()).isEqualTo("step");
        assertThat(lines.get(2).get("spans")).hasSize(2);
    }

    @Test
    void showOnlyAsFarAsTheFilterLetsThem() {
        assertThat(spansShownWith("trace")).isEqualTo(2);
        assertThat(spansShownWith("info")).isEqualTo(1);
        // The lines of warn and worse lose the span, since the span itself is of level info.
        assertThat(spansShownWith("warn")).isZero();
        assertThat(spansShownWith("warn,operator::controller[reconciling object]=info"))
                .isEqualTo(1);
        assertThat(spansShownWith("warn,[{object.ref=.*}]=warn")).isEqualTo(1);
    }

    private int spansShownWith(String rustLog) {
        LogCapture capture = LogCapture.install(rustLog);
        Spans.in(OUTER, () -> Spans.in(INNER, () -> log.warn("m")));
        return capture.line().path("spans").size();
    }

    @Test
    void openTheWayForEventsInside() {
        LogCapture capture = LogCapture.install("warn,[{object.ref=^a.ns1$}]=debug");
        Span other = Span.of(Level.INFO, "operator::controller", "reconciling object")
                .with("object.ref", "b.ns1");
        log.info("outside");
        Spans.in(OUTER, () -> {
            log.debug("inside");
            log.trace("too verbose");
            LoggerFactory.getLogger("io.fabric8.client").debug("a library inside");
        });
        Spans.in(other, () -> log.info("inside another"));

        assertThat(capture.messages()).containsExactly("inside", "a library inside");
    }

    @Test
    void printTheirFieldsSortedAndTyped() {
        LogCapture capture = LogCapture.install("info");
        Span span = Span.of(Level.INFO, "t", "n\"")
                .with("z", true)
                .with("\ud83d\ude00", 0.5)
                .with("\uffee", Double.NaN)
                .with("b", -3);
        Spans.in(span, () -> log.info("m"));

        assertThat(capture.line().get("span"))
                .hasToString("{\"b\":-3,\"z\":true,\"\uffee\":null,\"\ud83d\ude00\":0.5,\"name\":\"n\\\"\"}");
    }

    @Test
    void refuseFieldsThatWouldMakeAMemberTwice() {
        assertThatThrownBy(() -> OUTER.with("object.ref", "again"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("span field name \"object.ref\" occurs twice");
        assertThatThrownBy(() -> OUTER.with("name", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> OUTER.with("", "x")).isInstanceOf(IllegalArgumentException.class);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
