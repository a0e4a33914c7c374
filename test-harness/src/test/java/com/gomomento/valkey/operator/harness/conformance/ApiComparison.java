package com.gomomento.valkey.operator.harness.conformance;

import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Asks both API servers the same, one request after the other, and compares the replies, what watches tell, and what is there
 * in the end. After a request that leaves objects without an owner, the garbage collectors of both are waited for; the order in
 * which they come to different objects is chance, so then only each object's own events are compared in order.
 */
final class ApiComparison {

    /** The real collector may have to hear of a new kind first, which it does every 30 s. */
    private static final Duration COLLECTED_WITHIN = Duration.ofSeconds(60);

    private static final long POLL_MILLIS = 50;

    private final ApiModelSide model;
    private final ApiRealSide real;
    private final Map<String, String> budgetsModelled = new HashMap<>();
    private final Map<String, String> budgetsReal = new HashMap<>();
    private final List<String> differences = new ArrayList<>();

    ApiComparison(ApiModelSide model, ApiRealSide real) {
        this.model = model;
        this.real = real;
    }

    List<String> differences() {
        return differences;
    }

    void ask(ApiRequest request) {
        compare(request + ": reply", model.ask(request), real.ask(request));
        if (leavesOrphans(request)) {
            settle();
            ApiRealSide.KINDS.forEach(kind -> compareNews(request, kind, true));
        } else {
            compareNews(request, request.kind(), false);
        }
    }

    /** Compares what is there. */
    void look() {
        for (Kind kind : ApiRealSide.KINDS) {
            compareNewsOf("in the end", kind, false);
            compare("in the end: list of " + kind, lines(model.list(kind)), lines(real.list(kind)));
        }
        for (String label : List.of("v0", "v1", "v2")) {
            compare(
                    "in the end: pods labelled " + label,
                    lines(model.podsLabelled(label)),
                    lines(real.podsLabelled(label)));
        }
    }

    private boolean leavesOrphans(ApiRequest request) {
        return switch (request) {
            case ApiRequest.Delete delete -> delete.kind() == Kind.CLUSTER;
            case ApiRequest.Create create ->
                create.owner().map(model::isOwnerGone).orElse(false);
            case ApiRequest.Write _, ApiRequest.Bind _, ApiRequest.Run _, ApiRequest.Fail _ -> false;
        };
    }

    private void settle() {
        model.settle();
        long end = System.nanoTime() + COLLECTED_WITHIN.toNanos();
        while (ApiRealSide.KINDS.stream().anyMatch(kind -> !model.list(kind).equals(real.list(kind)))
                && System.nanoTime() < end) {
            pause();
        }
    }

    private void compareNews(ApiRequest request, Kind kind, boolean byObject) {
        compareNewsOf(request.toString(), kind, byObject);
    }

    private void compareNewsOf(String when, Kind kind, boolean byObject) {
        List<String> modelled = model.news(kind);
        List<String> told = real.news(kind);
        if (kind == Kind.DISRUPTION_BUDGET) {
            modelled = withoutEchoes(modelled, budgetsModelled);
            told = withoutEchoes(told, budgetsReal);
        }
        if (byObject) {
            modelled = modelled.stream().sorted(byObject()).toList();
            told = told.stream().sorted(byObject()).toList();
        }
        compare(when + ": news of " + kind, lines(modelled), lines(told));
    }

    /** Kubernetes' own controller writes the status of budgets, whenever it comes to it. */
    private static List<String> withoutEchoes(List<String> news, Map<String, String> last) {
        List<String> kept = new ArrayList<>();
        for (String line : news) {
            String what = line.substring(line.indexOf(' ') + 1);
            String before = last.put(object(line), what);
            if (!line.startsWith("MODIFIED") || !what.equals(before)) {
                kept.add(line);
            }
        }
        return kept;
    }

    private static Comparator<String> byObject() {
        return Comparator.comparing(ApiComparison::object);
    }

    private static String object(String line) {
        return line.split(" ", 4)[1] + " " + line.split(" ", 4)[2];
    }

    private void compare(String what, String modelled, String told) {
        if (!modelled.equals(told)) {
            differences.add(what + "\n  model " + modelled + "\n  real  " + told);
        }
    }

    private static String lines(List<String> lines) {
        return lines.isEmpty() ? "nothing" : String.join(" | ", lines);
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
