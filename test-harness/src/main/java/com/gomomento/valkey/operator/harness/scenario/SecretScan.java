package com.gomomento.valkey.operator.harness.scenario;

import com.gomomento.valkey.operator.kubernetes.resource.ValkeyKind;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Looks for one namespace's secrets where none may be (invariant S19): the operator's lines, the pods' own logs, statuses,
 * Events, pods, ConfigMaps, and the arguments and environments of the servers' and the operator's processes.
 */
public final class SecretScan {

    private static final String CREDENTIALS_SUFFIX = "-internal";
    private static final int SHORTEST = 8;
    private static final int SHOWN = 60;

    private final Bench bench;
    private final String namespace;
    private final Map<String, String> needles = new TreeMap<>();
    private final Map<String, String> moreText = new LinkedHashMap<>();

    private SecretScan(Bench bench, String namespace) {
        this.bench = bench;
        this.namespace = namespace;
    }

    /** Of the passwords that the operator has made for the clusters in {@code namespace}. */
    public static SecretScan of(Bench bench, String namespace) {
        SecretScan scan = new SecretScan(bench, namespace);
        for (Secret secret :
                bench.client().secrets().inNamespace(namespace).list().getItems()) {
            if (secret.getMetadata().getName().endsWith(CREDENTIALS_SUFFIX) && secret.getData() != null) {
                secret.getData()
                        .forEach((key, value) -> scan.password(
                                secret.getMetadata().getName() + "/" + key,
                                new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8)));
            }
        }
        return scan;
    }

    /** Looks for a password too: as it stands, in base64, and as the hash that ACL files have. */
    public SecretScan password(String name, String password) {
        byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
        return text(name, password)
                .text("base64 of " + name, Base64.getEncoder().withoutPadding().encodeToString(bytes))
                .text("SHA-256 of " + name, sha256(bytes));
    }

    /** Looks for this text too. */
    public SecretScan text(String name, String secret) {
        if (secret.length() < SHORTEST) {
            throw new IllegalArgumentException(name + " has " + secret.length() + " characters, at least " + SHORTEST
                    + " are needed to be told from other text");
        }
        needles.put(secret, name);
        return this;
    }

    /** How many texts are looked for. */
    public int needles() {
        return needles.size();
    }

    /** Looks into this text too, such as the log of a pod that is gone. */
    public SecretScan within(String place, String text) {
        moreText.put(place, text);
        return this;
    }

    /** A sentence for each secret in each place where it may not be. */
    public List<String> findings() {
        List<String> findings = new ArrayList<>();
        if (needles.isEmpty()) {
            return findings;
        }
        eachText((place, text) -> needles.forEach((needle, name) -> {
            int at = text.indexOf(needle);
            if (at >= 0) {
                String before = text.substring(Math.max(0, at - SHOWN), at);
                findings.add(name + " is seen in " + place + " after '" + before + "'");
            }
        }));
        return findings;
    }

    private void eachText(BiConsumer<String, String> reader) {
        moreText.forEach(reader);
        bench.log().lines().forEach(line -> reader.accept("the log of " + line.pod(), line.text()));
        ContainerLog.files(bench.cluster(), namespace + "_")
                .forEach(file -> reader.accept("the file " + file, ContainerLog.read(file)));
        objects(reader);
        bench.client().pods().inNamespace(namespace).list().getItems().forEach(pod -> processes(pod, reader));
        bench.operator().pods().forEach(pod -> processes(pod, reader));
    }

    /** The spec of a cluster is its user's, hashes and all; the rest is ours. */
    private void objects(BiConsumer<String, String> reader) {
        for (ValkeyKind kind : List.of(ValkeyKind.CLUSTER, ValkeyKind.NODE)) {
            for (GenericKubernetesResource object : bench.client()
                    .genericKubernetesResources(Manifests.context(kind))
                    .inNamespace(namespace)
                    .list()
                    .getItems()) {
                reader.accept(
                        "the status of " + kind.kind() + " "
                                + object.getMetadata().getName(),
                        Json.tree(object).path("status").toString());
            }
        }
        all(
                reader,
                "Events",
                bench.client().v1().events().inNamespace(namespace).list().getItems());
        all(
                reader,
                "ConfigMaps",
                bench.client().configMaps().inNamespace(namespace).list().getItems());
        all(reader, "pods", bench.client().pods().inNamespace(namespace).list().getItems());
    }

    private static void all(BiConsumer<String, String> reader, String what, List<?> objects) {
        objects.forEach(object -> reader.accept("the " + what, Serialization.asJson(object)));
    }

    private void processes(Pod pod, BiConsumer<String, String> reader) {
        for (long pid : bench.processes().of(pod)) {
            for (String file : List.of("cmdline", "environ")) {
                reader.accept(file + " of a process of " + pod.getMetadata().getName(), procFile(pid, file));
            }
        }
    }

    private static String procFile(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(pid), file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // The process ended meanwhile.
            return "";
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
