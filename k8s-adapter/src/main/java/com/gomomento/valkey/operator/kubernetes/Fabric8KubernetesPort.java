package com.gomomento.valkey.operator.kubernetes;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.plan.ClusterStatus;
import com.gomomento.valkey.operator.core.plan.KubernetesAction;
import com.gomomento.valkey.operator.core.port.ActionResult;
import com.gomomento.valkey.operator.core.port.Journal;
import com.gomomento.valkey.operator.core.port.KubernetesPort;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.File;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The core's view of Kubernetes, through fabric8's connection.
 *
 * <p>Order of use: {@link #connect}, {@link #start}, {@link #awaitSynced}, then the port's methods from any thread, at last
 * {@link #close}. While a watch is in trouble its part of the view stands still; {@link #health} tells.
 */
public final class Fabric8KubernetesPort implements KubernetesPort, AutoCloseable {

    private final ApiServer api;
    private final Mirror mirror = new Mirror();
    private final Watches watches;
    private final Observer observer;
    private final ActionExecutor executor;
    private final StatusWriter status;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("kubernetes-call-", 0).factory());

    private Fabric8KubernetesPort(Config config, Journal journal, InstantSource clock, Pace pace) {
        this.api = new ApiServer(config, pace);
        OwnedWriter writer = new OwnedWriter(api, mirror);
        this.watches = new Watches(api, mirror, writer, journal, clock, pace);
        this.observer = new Observer(mirror, new LateReferences(api, mirror));
        this.status = new StatusWriter(writer, mirror, clock);
        this.executor = new ActionExecutor(writer, status);
    }

    /**
     * Connects as this process is set up: by {@code KUBECONFIG} or {@code ~/.kube/config}, else by the service account of the
     * pod. Nothing is sent yet.
     *
     * @param journal is told of watches in trouble and of objects that can't be read
     * @throws KubernetesUnavailableException when there is neither, or it is of no use
     */
    public static Fabric8KubernetesPort connect(Journal journal, InstantSource clock)
            throws KubernetesUnavailableException {
        boolean inPod = System.getenv("KUBERNETES_SERVICE_HOST") != null;
        boolean hasFile = Config.getKubeconfigFilenames().stream().anyMatch(name -> new File(name).isFile());
        if (!inPod && !hasFile) {
            throw new KubernetesUnavailableException("no Kubernetes to talk to: not inside a pod (environment variable"
                    + " KUBERNETES_SERVICE_HOST is not set) and none of these files exists: "
                    + String.join(", ", Config.getKubeconfigFilenames()));
        }
        try {
            return connect(Config.autoConfigure(null), journal, clock);
        } catch (KubernetesClientException | IllegalArgumentException e) {
            throw new KubernetesUnavailableException("the Kubernetes client can't be built: " + e.getMessage(), e);
        }
    }

    /** Connects as {@code config} says. This is the one place where a type of fabric8 can be seen. */
    public static Fabric8KubernetesPort connect(Config config, Journal journal, InstantSource clock) {
        return connect(config, journal, clock, Pace.USUAL);
    }

    static Fabric8KubernetesPort connect(Config config, Journal journal, InstantSource clock, Pace pace) {
        return new Fabric8KubernetesPort(config, journal, clock, pace);
    }

    /**
     * Starts to watch. Returns at once; the watches go on for ever, whatever happens to them.
     *
     * @param listener is woken for every cluster once all is known, and then for every change
     */
    public void start(WakeListener listener) {
        watches.start(listener);
    }

    /**
     * Waits until everything was listed once.
     *
     * @return whether it was, within {@code patience}; {@link #health} tells what is missing
     */
    public boolean awaitSynced(Duration patience) throws InterruptedException {
        return watches.awaitSynced(patience);
    }

    /** How each watch is doing. */
    public List<WatchHealth> health() {
        return watches.health();
    }

    /** Every ValkeyCluster that is known now. */
    public SortedSet<ClusterKey> clusters() {
        return mirror.clusterKeys();
    }

    /**
     * Reads a ConfigMap of anybody's, past the mirror; for the operator's own configuration.
     *
     * @return its data; empty when there is none of this name
     * @throws KubernetesUnavailableException when it can't be read, with the reason
     */
    public Optional<SortedMap<String, String>> readConfigMap(String namespace, String name)
            throws KubernetesUnavailableException {
        Answer answer = api.get(ResourceKind.CONFIG_MAP.path(new ObjectName(namespace, name)));
        if (answer instanceof Answer.Reply reply) {
            if (reply.successful()) {
                return Optional.of(reply.body().texts("data"));
            }
            if (reply.notFound()) {
                return Optional.empty();
            }
        }
        throw new KubernetesUnavailableException("ConfigMap " + namespace + "/" + name + " can't be read: "
                + switch (answer) {
                    case Answer.Reply reply -> reply.message();
                    case Answer.Silence(String reason) -> reason;
                    case Answer.NotSent(String reason) -> reason;
                });
    }

    /** {@inheritDoc} Must not be called before everything was listed: half a view would look like lost members. */
    @Override
    public Snapshot observe(ClusterKey key) {
        Check.that(watches.synced(), "observed before everything was listed");
        return observer.observe(key);
    }

    @Override
    public List<ActionResult> execute(ClusterDeclaration owner, List<KubernetesAction> actions) {
        List<Future<ActionResult>> running = new ArrayList<>();
        for (KubernetesAction action : actions) {
            running.add(threads.submit(() -> executor.run(owner, action)));
        }
        List<ActionResult> results = new ArrayList<>();
        for (Future<ActionResult> future : running) {
            results.add(result(future));
        }
        return results;
    }

    @Override
    public ActionResult publish(ClusterDeclaration owner, Optional<ClusterStatus> observed, ClusterStatus wanted) {
        return status.publish(owner, observed, wanted);
    }

    /** Ends watches and calls. */
    @Override
    public void close() {
        watches.close();
        threads.shutdownNow();
        api.close();
    }

    private static ActionResult result(Future<ActionResult> future) {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new ActionResult.Unknown("interrupted");
        } catch (ExecutionException e) {
            // A broken invariant of ours stops the cluster that it was about; the caller sees to that.
            throw new IllegalStateException("an action broke an invariant", e.getCause());
        }
    }
}
