package com.gomomento.valkey.operator.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MailboxTest {

    @Test
    void manyReasonsMakeOneStepAndTheFirstIsKept() throws InterruptedException {
        Mailbox mailbox = new Mailbox();
        mailbox.put("object updated");
        mailbox.put("related object updated: Pod");

        assertThat(mailbox.take(Duration.ofSeconds(10))).contains("object updated");
        assertThat(mailbox.take(Duration.ZERO)).isEmpty();
    }

    @Test
    void aReasonThatComesLateEndsTheWait() throws InterruptedException {
        Mailbox mailbox = new Mailbox();
        Thread late = Thread.ofVirtual().start(() -> mailbox.put("object updated"));

        assertThat(mailbox.take(Duration.ofSeconds(30))).contains("object updated");
        late.join();
    }
}
