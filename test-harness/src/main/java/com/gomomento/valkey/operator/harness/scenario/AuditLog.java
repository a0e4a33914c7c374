package com.gomomento.valkey.operator.harness.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The API server's own record of what the operator asked of it. */
public final class AuditLog {

    private static final Set<String> READS = Set.of("get", "list", "watch");
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The end of the log may be half written; what is read twice is told once. */
    private static final int OVERLAP = 64 * 1024;

    private final Path file;
    private final Set<Request> told = new HashSet<>();
    private long asked;

    AuditLog(Path file) {
        this.file = file;
    }

    /**
     * One request.
     *
     * @param at when it was received, RFC 3339
     * @param verb such as {@code patch}
     * @param group of the API, empty for the core's
     * @param resource in the plural, with its subresource: {@code valkeyclusters/status}
     * @param namespace empty for what is in none
     * @param name empty for lists
     * @param code of the answer
     * @param forbidden it lacked a right; an admission rule refuses with 403 too, and is not meant
     */
    public record Request(
            String at,
            String verb,
            String group,
            String resource,
            String namespace,
            String name,
            int code,
            boolean forbidden) {

        /** Whether it would change something. */
        public boolean isWrite() {
            return !READS.contains(verb);
        }

        @Override
        public String toString() {
            return at + " " + verb + " " + resource + " " + namespace + "/" + name + " -> " + code;
        }
    }

    /** A place in the log from which on {@link #since} reads. */
    public long position() {
        return file.toFile().length();
    }

    /** All requests that were answered after {@code position}. */
    public List<Request> since(long position) {
        List<Request> requests = new ArrayList<>();
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            // A log that has become shorter was begun anew.
            log.seek(position <= log.length() ? position : 0);
            byte[] bytes = new byte[(int) (log.length() - log.getFilePointer())];
            log.readFully(bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            // The last line may be half written.
            int end = text.lastIndexOf('\n');
            for (String line : text.substring(0, Math.max(0, end)).lines().toList()) {
                if (line.startsWith("{") && line.endsWith("}")) {
                    requests.add(request(JSON.readTree(line)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return requests;
    }

    /**
     * Requests of the whole run that lacked a right, each told once, to whoever asks first. An unhandled 403 must never be
     * the way in which a missing right is found.
     */
    public synchronized List<Request> takeForbidden() {
        long from = Math.max(0, asked - OVERLAP);
        asked = position();
        return since(from).stream()
                .filter(request -> request.forbidden() && told.add(request))
                .toList();
    }

    private static Request request(JsonNode event) {
        JsonNode object = event.path("objectRef");
        String subresource = object.path("subresource").asText();
        return new Request(
                event.path("requestReceivedTimestamp").asText(),
                event.path("verb").asText(),
                object.path("apiGroup").asText(),
                object.path("resource").asText() + (subresource.isEmpty() ? "" : "/" + subresource),
                object.path("namespace").asText(),
                object.path("name").asText(),
                event.path("responseStatus").path("code").asInt(),
                event.path("annotations")
                        .path("authorization.k8s.io/decision")
                        .asText()
                        .equals("forbid"));
    }
}
