package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.observe.PodView;

/** How a pod ended, in Kubernetes' and the server's own words. */
final class Ending {

    private Ending() {}

    /** Such as {@code Error, exit code 1: Bad directive}; empty if nothing is known. */
    static String of(PodView pod) {
        return pod.exit().map(Ending::sentence).orElse("");
    }

    private static String sentence(PodView.Exit exit) {
        String code = exit.exitCode().map(number -> ", exit code " + number).orElse("");
        String lastLine = exit.message().isBlank() ? "" : ": " + LastLine.of(exit.message());
        return exit.reason() + code + lastLine;
    }
}
