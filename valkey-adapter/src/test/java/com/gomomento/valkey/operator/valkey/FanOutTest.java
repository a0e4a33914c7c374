package com.gomomento.valkey.operator.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class FanOutTest {

    @Test
    void keepsTheOrderAndNamesFailures() {
        try (FanOut fanOut = new FanOut()) {
            List<String> results = fanOut.all(
                    List.of(1, 0, 2),
                    Duration.ofSeconds(5),
                    subject -> Integer.toString(10 / subject),
                    (subject, failure) -> subject + " " + failure);
            assertThat(results).containsExactly("10", "0 java.lang.ArithmeticException: / by zero", "5");
        }
    }

    @Test
    void waitsForNobodyBeyondTheLimit() {
        CountDownLatch never = new CountDownLatch(1);
        try (FanOut fanOut = new FanOut()) {
            List<String> results = fanOut.all(
                    List.of(true, false),
                    Duration.ofMillis(200),
                    hangs -> waits(hangs, never),
                    (subject, failure) -> failure);
            assertThat(results).containsExactly("no result in time", "done");
        }
    }

    private static String waits(boolean hangs, CountDownLatch never) {
        try {
            if (hangs) {
                never.await();
            }
            return "done";
        } catch (InterruptedException e) {
            return "interrupted";
        }
    }

    @Test
    void answersAfterItWasClosed() {
        FanOut fanOut = new FanOut();
        fanOut.close();
        assertThat(fanOut.all(List.of(1), Duration.ofSeconds(1), subject -> "done", (subject, failure) -> failure))
                .containsExactly("the port is closed");
    }
}
