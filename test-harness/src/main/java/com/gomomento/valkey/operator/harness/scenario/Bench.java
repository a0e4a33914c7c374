package com.gomomento.valkey.operator.harness.scenario;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;

/** What all scenarios share: the local cluster, and the one operator that is installed in it. */
public final class Bench implements AutoCloseable {

    private static final Duration CLEAN_UP = Duration.ofMinutes(2);

    private final LocalCluster cluster;
    private final KubernetesClient client;
    private final Kubectl kubectl;
    private final HostProcesses processes;
    private final OperatorLog log;
    private final AuditLog audit;
    private final Operator operator;
    private final Queue<String> namespaces = new ConcurrentLinkedQueue<>();

    private Bench(LocalCluster cluster) {
        this.cluster = cluster;
        this.client = cluster.connect();
        this.kubectl = new Kubectl(cluster);
        this.processes = new HostProcesses(cluster);
        this.log = OperatorLog.follow(cluster);
        this.audit = new AuditLog(cluster.auditLog());
        this.operator = new Operator(cluster, client, kubectl, processes);
    }

    /** Connects to the local cluster and installs the operator. */
    public static Bench start(LocalCluster cluster) {
        Bench bench = new Bench(cluster);
        bench.operator.install();
        return bench;
    }

    /**
     * A scenario in a namespace of its own.
     *
     * @param label lower-case letters, digits and '-', to recognise the namespace by
     */
    public Scenario begin(String label) {
        byte[] random = new byte[3];
        ThreadLocalRandom.current().nextBytes(random);
        String namespace = "it-" + label + "-" + HexFormat.of().formatHex(random);
        namespaces.add(namespace);
        return Scenario.begin(this, namespace);
    }

    /** Facts. */
    public LocalCluster cluster() {
        return cluster;
    }

    /** The administrator's connection. */
    public KubernetesClient client() {
        return client;
    }

    /** kubectl as the administrator. */
    public Kubectl kubectl() {
        return kubectl;
    }

    /** Processes of pods and daemons on this machine. */
    public HostProcesses processes() {
        return processes;
    }

    /** The operator's lines. */
    public OperatorLog log() {
        return log;
    }

    /** The operator's requests. */
    public AuditLog audit() {
        return audit;
    }

    /** The operator's pods. */
    public Operator operator() {
        return operator;
    }

    /** Waits until the namespaces of all scenarios are gone, and disconnects. */
    @Override
    public void close() {
        try {
            Patience.untilNone(CLEAN_UP, "all namespaces of the scenarios to be gone", this::leftNamespaces);
        } finally {
            log.close();
            client.close();
        }
    }

    private List<String> leftNamespaces() {
        return namespaces.stream()
                .filter(name -> client.namespaces().withName(name).get() != null)
                .map(name -> "namespace " + name + " is still there")
                .toList();
    }
}
