package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.KubernetesView;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.Observation;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Puts ValkeyNodes, pods and reports together, by their common name. */
final class Members {

    /** Stands in the place of a ValkeyNode's UID where a pod has lost its ValkeyNode. */
    private static final String UNRECORDED = "unrecorded";

    private Members() {}

    static SortedMap<NodeName, Member> of(Observation observation) {
        KubernetesView view = observation.kubernetes();
        SortedMap<NodeName, Member> members = new TreeMap<>();
        view.records().forEach((name, record) -> members.put(name, member(record, observation)));
        for (PodView pod : view.pods().values()) {
            if (!members.containsKey(pod.name())) {
                NodeRecord stand = new NodeRecord(
                        pod.name(),
                        UNRECORDED,
                        false,
                        pod.shard(),
                        freeOrdinal(members, pod.shard()),
                        Optional.empty(),
                        NodeRecord.Status.NEW);
                members.put(pod.name(), member(stand, observation));
            }
        }
        return members;
    }

    /** Whether the ValkeyNode of this member exists. */
    static boolean recorded(Member member) {
        return !member.record().uid().equals(UNRECORDED);
    }

    /** Whether a node announces the name of this member's pod. */
    static boolean hasName(MemberBelief line, Member member) {
        return line.hostname()
                .filter(host -> host.startsWith(member.name() + "."))
                .isPresent();
    }

    private static Member member(NodeRecord record, Observation observation) {
        Optional<PodView> pod =
                Optional.ofNullable(observation.kubernetes().pods().get(record.name()));
        return Member.of(record, pod, observation.report(record.name()));
    }

    private static int freeOrdinal(SortedMap<NodeName, Member> members, ShardId shard) {
        int ordinal = 0;
        while (taken(members, shard, ordinal)) {
            ordinal++;
        }
        return ordinal;
    }

    private static boolean taken(SortedMap<NodeName, Member> members, ShardId shard, int ordinal) {
        return members.values().stream()
                .anyMatch(member -> member.shard().equals(shard) && member.ordinal() == ordinal);
    }
}
