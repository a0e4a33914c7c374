package com.gomomento.valkey.operator.app;

import com.gomomento.valkey.operator.core.reconcile.ReconcileLoop;
import com.gomomento.valkey.operator.kubernetes.Fabric8KubernetesPort;
import com.gomomento.valkey.operator.kubernetes.KubernetesUnavailableException;
import com.gomomento.valkey.operator.kubernetes.WatchHealth;
import com.gomomento.valkey.operator.logging.LogSetup;
import com.gomomento.valkey.operator.valkey.GlideValkeyPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator's process. Says nothing when it starts: the first line is reconcile activity. Ends with a status other than 0
 * when it can't do its work, so that Kubernetes starts it again.
 */
public final class Main {

    private static final Path OWN_NAMESPACE = Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");
    private static final String DEFAULT_NAMESPACE = "valkey-operator";
    private static final Duration CONFIG_RETRY = Duration.ofSeconds(2);
    private static final Duration HEALTH_CHECK = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger("operator");

    private Main() {}

    /** Runs until it is told to stop. Takes no arguments; see docs/ARCHITECTURE.md for what configures it. */
    public static void main(String[] args) throws InterruptedException {
        LogSetup.installFromEnvironment();
        Thread.setDefaultUncaughtExceptionHandler(LogSetup.uncaughtExceptionHandler("operator"));
        if (Boolean.getBoolean("valkey.operator.training")) {
            Training.run();
            return;
        }
        Fabric8KubernetesPort kubernetes;
        try {
            kubernetes = Fabric8KubernetesPort.connect(new SlfJournal(), Clock.systemUTC());
        } catch (KubernetesUnavailableException e) {
            System.err.println("valkey-operator cannot start: " + e.getMessage());
            System.exit(1);
            return;
        }
        Optional<OperatorConfig> config = readConfig(kubernetes);
        if (config.isEmpty()) {
            System.exit(1);
            return;
        }
        run(kubernetes, config.get());
    }

    private static void run(Fabric8KubernetesPort kubernetes, OperatorConfig config) throws InterruptedException {
        GlideValkeyPort valkey = new GlideValkeyPort();
        ReconcileLoop loop = new ReconcileLoop(kubernetes, valkey, new SlfJournal(), config.defaultZoneSpread());
        Fleet fleet = new Fleet(loop, Clock.systemUTC());
        Runtime.getRuntime().addShutdownHook(new Thread(fleet::close, "shutdown"));
        kubernetes.start(fleet::wake);
        while (true) {
            Thread.sleep(HEALTH_CHECK);
            for (WatchHealth watch : kubernetes.health()) {
                if (watch.ended()) {
                    // A deaf operator is worse than none: end, and be started again.
                    LOG.atError()
                            .addKeyValue("kind", watch.kind())
                            .addKeyValue("reason", watch.trouble().orElse("it ended without a reason"))
                            .log("watch has ended for good, stopping");
                    System.exit(1);
                }
            }
        }
    }

    private static Optional<OperatorConfig> readConfig(Fabric8KubernetesPort kubernetes) throws InterruptedException {
        String namespace = ownNamespace();
        while (true) {
            try {
                return Optional.of(OperatorConfig.parse(kubernetes
                        .readConfigMap(namespace, OperatorConfig.CONFIG_MAP)
                        .orElseGet(TreeMap::new)));
            } catch (KubernetesUnavailableException e) {
                LOG.atWarn()
                        .addKeyValue("error", String.valueOf(e.getMessage()))
                        .log("operator configuration cannot be read, retrying");
                Thread.sleep(CONFIG_RETRY);
            } catch (IllegalArgumentException e) {
                LOG.atError()
                        .addKeyValue("error", String.valueOf(e.getMessage()))
                        .log("operator configuration is invalid, stopping");
                return Optional.empty();
            }
        }
    }

    private static String ownNamespace() {
        try {
            return Files.readString(OWN_NAMESPACE).strip();
        } catch (IOException e) {
            // Not in a pod: the namespace of the shipped manifests.
            return DEFAULT_NAMESPACE;
        }
    }
}
