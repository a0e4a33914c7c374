package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.plan.Ledger.DirectivesAnswer;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * With which of the user's directives each server runs, and how it gets to those of the wish: at run time if servers take
 * them so, else with a new pod. Which directives a server takes is known by that server alone, in its version; so one is
 * asked, with {@code CONFIG SET}, which sets all or nothing. New members are made with the wish once it has said yes: a value
 * that every server refuses never gets to those that replace lost members.
 */
final class LiveConfig {

    private final Directives wish;
    private final SortedMap<NodeName, DirectivesAnswer> answers;
    /** Of each member that has a pod. Most pods tell the same, so each text is read once. */
    private final Map<NodeName, Running> running = new HashMap<>();

    private final boolean accepted;
    private final SortedMap<String, String> forNew;

    /**
     * Looks at all members.
     *
     * @param spec the wish
     * @param formed whether members may hold data; before, they are made anew from whatever is wished
     * @param members all members
     * @param sameTemplate whether all but the directives of a member's pod is as wished
     * @param answers what servers said, from the ledger
     */
    LiveConfig(
            ClusterSpec spec,
            boolean formed,
            Collection<Member> members,
            Predicate<Member> sameTemplate,
            SortedMap<NodeName, DirectivesAnswer> answers) {
        this.wish = Directives.of(spec.server().directives());
        this.answers = answers;
        Map<String, Running> byText = new HashMap<>();
        members.forEach(member -> member.pod().ifPresent(_ -> running.put(member.name(), running(member, byText))));
        List<Member> askable = members.stream()
                .filter(member -> !member.lost() && member.pod().isPresent() && sameTemplate.test(member))
                .toList();
        this.accepted = askable.stream().anyMatch(this::reached);
        boolean settled =
                !formed || accepted || askable.isEmpty() || askable.stream().anyMatch(this::needsPod);
        this.forNew = settled ? wish.values() : earlier(askable);
    }

    /** What the first member runs with that answers. */
    private SortedMap<String, String> earlier(List<Member> members) {
        return members.stream()
                .sorted(Comparator.comparing(member -> !member.live()))
                .flatMap(member -> of(member).directives().stream())
                .findFirst()
                .map(Directives::values)
                .orElseGet(wish::values);
    }

    /**
     * With what a member's server runs, as its pod says or, if the pod is of a release of the operator that did not note it,
     * as the server itself does. Empty if neither says.
     */
    Optional<Directives> written(Member member) {
        return note(member, Markers.DIRECTIVES)
                .map(Directives::parse)
                .or(() -> member.answer().map(answer -> asTold(answer.directives())));
    }

    /** Whether a member's pod says with what its server runs. */
    static boolean noted(Member member) {
        return note(member, Markers.DIRECTIVES).isPresent();
    }

    /**
     * What is told in the words of the wish is in force; what is told otherwise may mean the same ({@code 64mb} is told as
     * {@code 67108864}), so it is in doubt; what can't be asked for was in the file with which the server started.
     */
    private Directives asTold(SortedMap<String, String> words) {
        SortedMap<String, String> values = new TreeMap<>();
        Set<String> doubts = new TreeSet<>();
        wish.values().forEach((name, value) -> {
            String told = words.getOrDefault(name, value);
            boolean same = told.equalsIgnoreCase(value.equals("\"\"") ? "" : value);
            values.put(name, same ? value : told);
            if (!same) {
                doubts.add(name);
            }
        });
        return Directives.of(values).doubting(doubts);
    }

    /**
     * With what one server runs.
     *
     * @param directives as its pod says, with doubts about what the server tells otherwise than it once did: somebody has
     *     changed it since. Empty if neither says
     * @param reached whether that is what is wished
     * @param change what is to be set to get there; empty if there is nothing or it can't be done at run time
     */
    private record Running(
            Optional<Directives> directives, boolean reached, Optional<SortedMap<String, String>> change) {}

    private Running running(Member member, Map<String, Running> byText) {
        Optional<String> text = note(member, Markers.DIRECTIVES);
        Set<String> drifted = drifted(member);
        if (text.isPresent() && drifted.isEmpty()) {
            return byText.computeIfAbsent(text.get(), same -> running(Optional.of(Directives.parse(same))));
        }
        return running(written(member).map(written -> written.doubting(drifted)));
    }

    private Running running(Optional<Directives> directives) {
        boolean there = directives.filter(wish::equals).isPresent();
        return new Running(
                directives, there, directives.filter(_ -> !there).flatMap(now -> now.changeTo(wish.values())));
    }

    /** What the server tells otherwise than when its pod's words were written. */
    private static Set<String> drifted(Member member) {
        SortedMap<String, String> words =
                member.answer().map(NodeReport.Reachable::directives).orElseGet(TreeMap::new);
        Set<String> drifted = new TreeSet<>();
        if (!words.isEmpty()) {
            SortedMap<String, String> told = told(member);
            words.forEach((name, value) -> {
                if (told.containsKey(name) && !value.equals(told.get(name))) {
                    drifted.add(name);
                }
            });
        }
        return drifted;
    }

    /** How a member's server told its directives when they came into force, as its pod says. */
    static SortedMap<String, String> told(Member member) {
        return note(member, Markers.DIRECTIVES_TOLD)
                .map(text -> new TreeMap<>(Directives.parse(text).values()))
                .orElseGet(TreeMap::new);
    }

    private static Optional<String> note(Member member, String annotation) {
        return member.pod().flatMap(pod -> Optional.ofNullable(pod.annotations().get(annotation)));
    }

    /** What a member is to be made with now. */
    SortedMap<String, String> forNew() {
        return forNew;
    }

    /** What is wished, as pods carry it once it is in force. */
    String wishText() {
        return wish.text();
    }

    /** Whether some server runs with what is wished. */
    boolean accepted() {
        return accepted;
    }

    /** Whether a member runs, or will run, with what is wished. */
    boolean reached(Member member) {
        return member.pod().isEmpty() || of(member).reached();
    }

    private Running of(Member member) {
        return Objects.requireNonNull(running.get(member.name()), "a member that was not looked at");
    }

    /** Whether only a new pod brings this member to what is wished. */
    boolean needsPod(Member member) {
        return !reached(member)
                && of(member).directives().isPresent()
                && change(member)
                        .filter(change -> answered(change, DirectivesAnswer.Verdict.AT_START_ONLY)
                                .isEmpty())
                        .isEmpty();
    }

    /** What is to be set on a member that does not run with what is wished; empty if that can't be done at run time. */
    Optional<SortedMap<String, String>> change(Member member) {
        return reached(member) ? Optional.empty() : of(member).change();
    }

    /** What some server said to this change, if it gave this verdict. */
    Optional<DirectivesAnswer> answered(SortedMap<String, String> change, DirectivesAnswer.Verdict verdict) {
        return answers.values().stream()
                .filter(answer ->
                        answer.verdict() == verdict && answer.changes().equals(change))
                .findFirst();
    }

    /** What a member's own server said that has taken this change, which its pod does not tell yet. */
    Optional<DirectivesAnswer> taken(Member member, SortedMap<String, String> change) {
        return Optional.ofNullable(answers.get(member.name()))
                .filter(answer -> answer.verdict() == DirectivesAnswer.Verdict.TAKEN
                        && answer.changes().equals(change));
    }

    /** Whether an answer still matters: some member would have to be told the same. */
    boolean matters(DirectivesAnswer answer, Collection<Member> members) {
        return members.stream().anyMatch(member -> change(member).equals(Optional.of(answer.changes())));
    }
}
