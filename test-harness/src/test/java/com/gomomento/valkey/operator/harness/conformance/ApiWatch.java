package com.gomomento.valkey.operator.harness.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A watch of one kind in one namespace of the real API server. */
final class ApiWatch implements AutoCloseable {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final String kind;
    private final Watch watch;

    /** {@code ADDED}, {@code MODIFIED} or {@code DELETED}, and the object. */
    record Event(String type, JsonNode object) {}

    ApiWatch(KubernetesClient client, String apiVersion, String kind, String plural, String namespace, String version) {
        int slash = apiVersion.indexOf('/');
        ResourceDefinitionContext context = new ResourceDefinitionContext.Builder()
                .withGroup(slash < 0 ? "" : apiVersion.substring(0, slash))
                .withVersion(apiVersion.substring(slash + 1))
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(true)
                .build();
        this.kind = kind;
        this.watch = client.genericKubernetesResources(context)
                .inNamespace(namespace)
                .watch(
                        new ListOptionsBuilder().withResourceVersion(version).build(),
                        new Watcher<GenericKubernetesResource>() {
                            @Override
                            public void eventReceived(Action action, GenericKubernetesResource object) {
                                events.add(new Event(action.name(), MAPPER.valueToTree(object)));
                            }

                            @Override
                            public void onClose(WatcherException cause) {
                                events.add(new Event("CLOSED", MAPPER.createObjectNode()));
                            }
                        });
    }

    /** The next event. */
    Event next() {
        try {
            Event event = events.poll(30, TimeUnit.SECONDS);
            if (event == null || event.type().equals("CLOSED")) {
                throw new AssertionError("the watch of " + kind + (event == null ? " is silent" : " was closed"));
            }
            return event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}
