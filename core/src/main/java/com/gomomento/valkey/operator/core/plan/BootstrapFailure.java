package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.List;
import java.util.Optional;

/**
 * Tells when creation has ended: the cluster never formed, no server made from the present inputs ever ran, and at least
 * three of them ended by themselves. The ended pods are the evidence, so they are kept until an input changes; with
 * another input they are no evidence any more, and creation starts again.
 */
final class BootstrapFailure {

    /** Ended servers that are needed as evidence. One may be an accident; three with nothing against them are not. */
    static final int EVIDENCE = 3;

    /** From here on an exit code names the signal that ended the process: somebody else's doing, not the input's. */
    private static final int FIRST_SIGNAL = 128;

    private BootstrapFailure() {}

    /** Why creation has ended, as a sentence with the server's own last line, or empty. */
    static Optional<String> detect(Situation situation) {
        List<PodView> ended = evidence(situation);
        if (ended.size() < EVIDENCE) {
            return Optional.empty();
        }
        PodView first = ended.getFirst();
        PodView.Exit exit = first.exit().orElseThrow();
        return Optional.of("the server ends at every start with this input; pod " + first.name() + ": "
                + exit.reason()
                + exit.exitCode().map(code -> ", exit code " + code).orElse("")
                + ": " + LastLine.of(exit.message()));
    }

    /** Whether this ended pod is to be kept as evidence. */
    static boolean keep(Situation situation, PodView pod) {
        List<PodView> evidence = evidence(situation);
        return evidence.indexOf(pod) >= 0 && evidence.indexOf(pod) < EVIDENCE;
    }

    private static List<PodView> evidence(Situation situation) {
        if (situation.formed()) {
            return List.of();
        }
        boolean oneRan = situation.members.values().stream()
                .anyMatch(member -> member.live()
                        || member.pod()
                                .filter(pod -> pod.ready() && situation.current(pod))
                                .isPresent());
        if (oneRan) {
            return List.of();
        }
        return situation.members.values().stream()
                .flatMap(member -> member.pod().stream())
                .filter(pod -> pod.finished() && situation.current(pod))
                .filter(pod -> pod.exit()
                        .flatMap(PodView.Exit::exitCode)
                        .filter(code -> code < FIRST_SIGNAL)
                        .isPresent())
                .toList();
    }
}
