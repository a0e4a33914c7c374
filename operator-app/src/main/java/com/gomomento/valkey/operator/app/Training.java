package com.gomomento.valkey.operator.app;

import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import com.gomomento.valkey.operator.core.port.Journal;
import com.gomomento.valkey.operator.core.port.ValkeyPort;
import com.gomomento.valkey.operator.core.reconcile.ReconcileLoop;
import com.gomomento.valkey.operator.kubernetes.Fabric8KubernetesPort;
import com.gomomento.valkey.operator.valkey.GlideValkeyPort;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/**
 * Loads what a start loads, for the ahead-of-time cache of the image: both clients are built and used against a loopback port
 * on which nothing listens. Reaches no network and ends by itself.
 */
final class Training {

    private static final int NOBODY = 1;

    private Training() {}

    static void run() throws InterruptedException {
        Journal journal = new SlfJournal();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + NOBODY)
                .build();
        try (Fabric8KubernetesPort kubernetes = Fabric8KubernetesPort.connect(config, journal, Clock.systemUTC());
                GlideValkeyPort valkey = new GlideValkeyPort()) {
            ReconcileLoop loop = new ReconcileLoop(kubernetes, valkey, journal, ZoneSpread.BEST_EFFORT);
            try (Fleet fleet = new Fleet(loop, Clock.systemUTC())) {
                kubernetes.start(fleet::wake);
                kubernetes.awaitSynced(Duration.ofMillis(500));
                valkey.observe(List.of(new ValkeyPort.Target(
                        new NodeName("training"), "127.0.0.1", NOBODY, SecretText.of("training"))));
            }
        }
        System.exit(0);
    }
}
