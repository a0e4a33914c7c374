package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.KubernetesView;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.observe.Observation;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What the rules look at: wish and observation put side by side, with what follows from them computed once. */
final class Situation {

    /** Stands in the place of a ValkeyNode's UID where a pod has lost its ValkeyNode. */
    private static final String UNRECORDED = "unrecorded";

    final ClusterDeclaration declaration;
    final ClusterSpec spec;
    final Observation observation;
    final Optional<ClusterStatus> published;
    final Ledger ledger;
    final Instant now;
    final Fingerprint template;
    final Optional<AclFile> accessFile;
    final SortedMap<NodeName, Member> members;
    final SortedMap<ShardId, Shard> shards;
    final Set<NodeName> superseded;

    Situation(
            ClusterDeclaration declaration,
            ClusterSpec spec,
            Observation observation,
            Optional<ClusterStatus> published,
            Ledger ledger,
            Instant now) {
        this.declaration = declaration;
        this.spec = spec;
        this.observation = observation;
        this.published = published;
        this.ledger = ledger;
        this.now = now;
        this.template = ServerConfig.template(spec);
        this.accessFile =
                observation.kubernetes().credentials().map(credentials -> AccessFile.render(spec.acl(), credentials));
        this.members = members(observation);
        this.superseded = members.values().stream()
                .flatMap(member -> member.record().replaces().stream())
                .collect(Collectors.toUnmodifiableSet());
        this.shards = shards();
    }

    private static SortedMap<NodeName, Member> members(Observation observation) {
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

    private static Member member(NodeRecord record, Observation observation) {
        Optional<PodView> pod =
                Optional.ofNullable(observation.kubernetes().pods().get(record.name()));
        return new Member(record, pod, observation.report(record.name()));
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

    private SortedMap<ShardId, Shard> shards() {
        SortedMap<ShardId, List<Member>> lists = new TreeMap<>();
        for (int index = 0; index < shardCount(); index++) {
            lists.put(new ShardId(index), new ArrayList<>());
        }
        members.values().stream()
                .sorted(Comparator.comparingInt(Member::ordinal).thenComparing(Member::name))
                .forEach(member -> lists.computeIfAbsent(member.shard(), id -> new ArrayList<>())
                        .add(member));
        SortedMap<ShardId, Shard> shards = new TreeMap<>();
        lists.forEach((id, list) -> shards.put(id, new Shard(id, list)));
        return shards;
    }

    /**
     * Shards that the cluster has now. Once formed that is what was written down: a different wish is a scaling, never a gap
     * in membership.
     */
    int shardCount() {
        if (!formed() || members.isEmpty()) {
            return spec.shards();
        }
        return 1
                + members.values().stream()
                        .mapToInt(m -> m.shard().index())
                        .max()
                        .orElse(0);
    }

    /** Whether slots were ever about to be claimed: from then on, members may hold data. */
    boolean formed() {
        return declaration.formedAt().isPresent();
    }

    /** Whether the cluster has been Active: its creation is over. */
    boolean served() {
        return formed()
                && published
                        .map(status -> status.state() != ClusterState.CREATING)
                        .orElse(true);
    }

    /** Whether the ValkeyNode of this member exists. */
    static boolean recorded(Member member) {
        return !member.record().uid().equals(UNRECORDED);
    }

    /** Whether a pod was made from the image, configuration and placement that hold now. */
    boolean currentTemplate(PodView pod) {
        return pod.template().filter(template::equals).isPresent();
    }

    /** Whether a pod was started with the users that hold now. */
    boolean currentAccess(PodView pod) {
        return accessFile
                .map(file -> file.fingerprint().hex().equals(pod.annotations().get(Markers.ACCESS)))
                .orElse(true);
    }

    /** Whether a pod was made from all the inputs that hold now. */
    boolean current(PodView pod) {
        return currentTemplate(pod) && currentAccess(pod);
    }

    /**
     * Whether a member holds nothing and fits no longer: before the first slot was claimed, what was made from other inputs
     * or for a shard that is no longer asked for can go.
     */
    boolean disposable(Member member) {
        if (formed()) {
            return false;
        }
        return member.shard().index() >= spec.shards()
                || member.pod().filter(pod -> !current(pod)).isPresent();
    }

    List<Member> live() {
        return members.values().stream().filter(Member::live).toList();
    }

    List<Reachable> answers() {
        return members.values().stream()
                .flatMap(member -> member.answer().stream())
                .toList();
    }

    /** Members that count towards the wish, by id; those without an id are missing here. */
    Map<NodeId, Member> standingById() {
        Map<NodeId, Member> byId = new TreeMap<>();
        for (Member member : members.values()) {
            if (!member.lost()) {
                member.nodeId().ifPresent(id -> byId.put(id, member));
            }
        }
        return byId;
    }
}
