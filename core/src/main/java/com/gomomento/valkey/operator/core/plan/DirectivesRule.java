package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.plan.Ledger.DirectivesAnswer;
import com.gomomento.valkey.operator.core.plan.Ledger.DirectivesAnswer.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Gap: servers run with other directives than the wish has.
 *
 * <p>Action: set them at run time, on one server first, a replica if there is one, and once it has taken them on all. What it
 * takes only at its start is left to the roll; a value that it refuses is an unusable input. Each pod tells with which
 * directives its server runs, and before a change that they are in doubt.
 *
 * <p>Evidence: the pod's annotation; its server answers, and its pod is in all else as wished.
 *
 * <p>Guard: the node's id. The server sets all directives or none.
 *
 * <p>Invariants: S16, S18.
 */
final class DirectivesRule implements Rule {

    private static final Comparator<Member> REPLICAS_FIRST = Comparator.comparing(
                    (Member member) -> member.role().equals(Optional.of(Role.PRIMARY)))
            .thenComparing(Member::name);

    @Override
    public void apply(Situation situation, Draft draft) {
        if (!situation.formed() || situation.stopgap) {
            return;
        }
        LiveConfig config = situation.config;
        List<Member> standing = situation.members.values().stream()
                .filter(member -> !member.lost() && situation.currentTemplate(member))
                .sorted(REPLICAS_FIRST)
                .toList();
        standing.stream().filter(config::reached).forEach(member -> note(member, config, draft));
        List<Member> behind = standing.stream()
                .filter(member -> config.change(member).isPresent())
                .toList();
        long toSet = behind.stream().filter(member -> !config.needsPod(member)).count();
        if (toSet > 0) {
            draft.because(
                    Reason.Kind.PROGRESS,
                    "setting new directives on " + toSet + " of " + situation.members.size() + " nodes at run time");
        }
        boolean spoken = config.accepted()
                || behind.stream()
                        .anyMatch(member ->
                                config.taken(member, change(member, config)).isPresent());
        boolean asked = false;
        for (Member member : behind) {
            Optional<DirectivesAnswer> no = refusal(change(member, config), config);
            if (no.isPresent()) {
                tellRefusal(member, no.get(), config, draft);
            } else if (member.live() && (spoken || !asked)) {
                asked = true;
                set(member, change(member, config), config, draft);
            }
        }
    }

    /**
     * How a server tells what it was started with is written down at first sight: later words are held against these. So is
     * what it runs with, if its pod is of a release of the operator that did not note it.
     */
    private static void note(Member member, LiveConfig config, Draft draft) {
        if (!LiveConfig.noted(member)) {
            mark(member, Markers.DIRECTIVES, config.wishText(), draft);
        }
        SortedMap<String, String> words =
                member.answer().map(Reachable::directives).orElseGet(TreeMap::new);
        if (!words.isEmpty() && !LiveConfig.told(member).keySet().containsAll(words.keySet())) {
            mark(member, Markers.DIRECTIVES_TOLD, Directives.of(words).text(), draft);
        }
    }

    private static SortedMap<String, String> change(Member member, LiveConfig config) {
        return config.change(member).orElseThrow();
    }

    private static Optional<DirectivesAnswer> refusal(SortedMap<String, String> change, LiveConfig config) {
        return config.answered(change, Verdict.REFUSED).or(() -> config.answered(change, Verdict.AT_START_ONLY));
    }

    /** A refusal is a definite answer: nothing was set, and what was in doubt is not any more. */
    private static void tellRefusal(Member member, DirectivesAnswer refusal, LiveConfig config, Draft draft) {
        Directives written = config.written(member).orElseThrow();
        if (!written.doubtful().isEmpty()) {
            mark(member, Markers.DIRECTIVES, Directives.of(written.values()).text(), draft);
        }
        if (refusal.verdict() == Verdict.REFUSED) {
            draft.because(
                    Reason.Kind.INPUT,
                    "the servers refuse the directive change " + refusal.changes() + ": " + refusal.refusal());
        }
    }

    private static void set(Member member, SortedMap<String, String> change, LiveConfig config, Draft draft) {
        Directives written = config.written(member).orElseThrow();
        Optional<DirectivesAnswer> taken = config.taken(member, change);
        if (taken.isPresent()) {
            SortedMap<String, String> told = LiveConfig.told(member);
            told.putAll(taken.get().told());
            mark(
                    member,
                    Map.of(
                            Markers.DIRECTIVES,
                            config.wishText(),
                            Markers.DIRECTIVES_TOLD,
                            Directives.of(told).text()),
                    draft);
        } else if (written.doubtful().containsAll(change.keySet())) {
            draft.act(new ValkeyAction.SetDirectives(member.name(), member.liveId(), change));
        } else {
            mark(member, Markers.DIRECTIVES, written.doubting(change.keySet()).text(), draft);
        }
    }

    private static void mark(Member member, String annotation, String text, Draft draft) {
        mark(member, Map.of(annotation, text), draft);
    }

    private static void mark(Member member, Map<String, String> annotations, Draft draft) {
        member.pod()
                .ifPresent(pod -> draft.act(new KubernetesAction.MarkPod(
                        pod.name(), pod.uid(), new TreeMap<>(), new TreeMap<>(annotations))));
    }
}
