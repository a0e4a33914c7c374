package com.gomomento.valkey.operator.harness.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.ActionResult.Rejected;
import com.gomomento.valkey.operator.valkey.GlideValkeyPort;
import org.junit.jupiter.api.AfterEach;

/** For tests of actions: servers of each test's own and a port to them, both ended with the test. */
abstract class RealServers {

    final ValkeyServers servers = new ValkeyServers();
    final GlideValkeyPort port = new GlideValkeyPort();

    @AfterEach
    void end() {
        port.close();
        servers.close();
    }

    static void rejected(ActionResult result, String... words) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        Rejected.class, it -> assertThat(it.reason()).contains(words));
    }
}
