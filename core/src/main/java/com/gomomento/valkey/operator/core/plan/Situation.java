package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.declare.ClusterDeclaration;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.Fingerprint;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ServerSpec;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.observe.Observation;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import com.gomomento.valkey.operator.core.observe.PodView;
import com.gomomento.valkey.operator.core.observe.SlotMigration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the rules look at: wish and observation put side by side, with what follows from them computed once. */
final class Situation {

    /** A pod that ends within this time of its creation counts as one that can't run. */
    private static final Duration SOON = Duration.ofSeconds(60);

    final ClusterDeclaration declaration;
    final ClusterSpec spec;

    /** Whether lost members are made from earlier inputs for now: then nothing is changed that runs (see {@link Trial}). */
    final boolean stopgap;

    final Observation observation;
    final Optional<ClusterStatus> published;
    final Ledger ledger;
    final Instant now;

    /** With which directives servers run, and how they get to those of the wish. */
    final LiveConfig config;

    /** What is kept by shards that can't have the release that is wished, since it is older. */
    final SortedMap<ShardId, ServerSpec> downgrades;

    private final Fingerprint template;

    private final Fingerprint shown;
    private final String directivesForNew;

    /** What pods are made from now, with the directives. */
    final Fingerprint inputs;

    final Optional<AclFile> accessFile;

    /** Fingerprint of the access files, as pods carry it. */
    final Optional<String> access;

    /** Every member, by name. */
    final SortedMap<NodeName, Member> members;

    /** Members that answer, by name. */
    final List<Member> live;

    /** What they said. */
    final List<Reachable> answers;

    /** What they believe. */
    final List<View> views;

    /** Members that count towards the wish, by id; those without an id are missing here. */
    final SortedMap<NodeId, Member> standingById;

    /** Lost members whose id is known. */
    final SortedMap<NodeId, Member> lostById;

    /** Slots of which their owner itself says that it serves them. */
    final SlotSet served;

    /** Slots to which no view gives an owner. */
    final SlotSet free;

    /** Whether every slot has an owner in some view. */
    final boolean complete;

    /** Ids that some live member follows, in its own view. */
    final Set<NodeId> followed;

    /** Both ends of every migration under way and of every open slot. */
    final Set<NodeId> moving;

    final SortedMap<ShardId, Shard> shards;

    /** Why creation has ended, if it has. */
    final Optional<String> creationFailure;

    private final SortedMap<NodeId, SlotSet> believedOwners;
    private final boolean formed;

    Situation(
            ClusterDeclaration declaration,
            ClusterSpec spec,
            boolean stopgap,
            Observation observation,
            Optional<ClusterStatus> published,
            Ledger ledger,
            Instant now) {
        this.declaration = declaration;
        this.spec = spec;
        this.stopgap = stopgap;
        this.observation = observation;
        this.published = published;
        this.ledger = ledger;
        this.now = now;
        this.accessFile =
                observation.kubernetes().credentials().map(credentials -> AccessFile.render(spec.acl(), credentials));
        this.access = accessFile.map(file -> file.fingerprint().hex());
        this.members = Members.of(observation);
        this.downgrades = Downgrade.refused(spec, members.values());
        this.template = ServerConfig.template(spec);
        this.shown = ServerConfig.shown(spec);
        this.live = members.values().stream().filter(Member::live).toList();
        this.answers =
                live.stream().map(member -> member.answer().orElseThrow()).toList();
        this.views = View.of(live);
        this.standingById = byId(false);
        this.lostById = byId(true);
        this.believedOwners = believedOwners(views);
        this.formed = declaration.formedAt().isPresent() || served(published) || !believedOwners.isEmpty();
        this.config = new LiveConfig(spec, formed, members.values(), this::currentTemplate, ledger.directives());
        this.directivesForNew = Directives.of(config.forNew()).text();
        this.inputs = Fingerprint.of(template.hex(), directivesForNew);
        this.free = SlotSet.ALL.minus(SlotSet.union(believedOwners.values()));
        this.complete = free.isEmpty();
        this.followed = followed(live);
        this.moving = moving(answers);
        this.served = SlotSet.union(members.values().stream()
                .filter(Member::ownsSlots)
                .map(member -> member.answer().orElseThrow().self().slots())
                .toList());
        this.shards = shards();
        this.creationFailure = BootstrapFailure.detect(this);
    }

    private SortedMap<NodeId, Member> byId(boolean lost) {
        SortedMap<NodeId, Member> byId = new TreeMap<>();
        members.values().stream()
                .filter(member -> member.lost() == lost)
                .forEach(member -> member.nodeId().ifPresent(id -> byId.put(id, member)));
        return byId;
    }

    private static SortedMap<NodeId, SlotSet> believedOwners(List<View> views) {
        SortedMap<NodeId, SlotSet> owners = new TreeMap<>();
        for (View view : views) {
            for (MemberBelief line : view.beliefs().all()) {
                if (!line.slots().isEmpty()) {
                    owners.merge(line.id(), line.slots(), SlotSet::plus);
                }
            }
        }
        return owners;
    }

    private static Set<NodeId> followed(List<Member> live) {
        Set<NodeId> followed = new TreeSet<>();
        live.forEach(member -> member.follows().ifPresent(followed::add));
        return Collections.unmodifiableSet(followed);
    }

    private static Set<NodeId> moving(List<Reachable> answers) {
        Set<NodeId> moving = new TreeSet<>();
        for (Reachable answer : answers) {
            for (SlotMigration migration : answer.migrations()) {
                if (migration.active()) {
                    moving.add(migration.source());
                    moving.add(migration.target());
                }
            }
            for (OpenSlot slot : answer.self().openSlots()) {
                moving.add(answer.id());
                moving.add(slot.peer());
            }
        }
        return Collections.unmodifiableSet(moving);
    }

    private SortedMap<ShardId, Shard> shards() {
        SortedMap<ShardId, List<Member>> lists = new TreeMap<>();
        for (int index = 0; index < spec.shards(); index++) {
            lists.put(new ShardId(index), new ArrayList<>());
        }
        members.values().stream()
                .sorted(Comparator.comparingInt(Member::ordinal).thenComparing(Member::name))
                .forEach(member -> lists.computeIfAbsent(member.shard(), id -> new ArrayList<>())
                        .add(member));
        SortedMap<ShardId, Shard> built = new TreeMap<>();
        lists.forEach((id, list) -> built.put(id, Shard.of(id, list, this)));
        return built;
    }

    /** Every id to which some live view gives slots, with all that any of them gives. */
    Map<NodeId, SlotSet> believedOwners() {
        return believedOwners;
    }

    /** Slots that some live view gives to this id. */
    SlotSet believedSlots(NodeId id) {
        return believedOwners.getOrDefault(id, SlotSet.EMPTY);
    }

    Shard shardOf(Member member) {
        Shard shard = shards.get(member.shard());
        if (shard == null) {
            throw new IllegalStateException("member " + member.name() + " is in no shard");
        }
        return shard;
    }

    /**
     * Whether slots were ever about to be claimed: from then on, members may hold data. Written down before the first claim
     * ({@code status.formedAt}); a cluster of a release that did not note it is known by having served or by its slots.
     */
    boolean formed() {
        return formed;
    }

    private static boolean served(Optional<ClusterStatus> published) {
        return published
                .map(ClusterStatus::state)
                .filter(state -> state == ClusterState.ACTIVE || state == ClusterState.UPDATING)
                .isPresent();
    }

    /** Whether the cluster has been Active: its creation is over. */
    boolean served() {
        return formed()
                && published
                        .map(status -> status.state() != ClusterState.CREATING)
                        .orElse(true);
    }

    /** What members of a shard are to be made from. */
    ClusterSpec specOf(ShardId shard) {
        ServerSpec kept = downgrades.get(shard);
        return kept == null ? spec : spec.withServer(kept);
    }

    /** Its fingerprint. */
    Fingerprint templateOf(ShardId shard) {
        return downgrades.containsKey(shard) ? ServerConfig.template(specOf(shard)) : template;
    }

    /** The same as a pod of an older release of the operator shows it, which does not carry the fingerprint. */
    private Fingerprint shownOf(ShardId shard) {
        return downgrades.containsKey(shard) ? ServerConfig.shown(specOf(shard)) : shown;
    }

    /** Whether a pod was made from the image, resources and placement that hold now. */
    private boolean currentTemplate(PodView pod) {
        return pod.template()
                .filter(made -> made.equals(templateOf(pod.shard())) || made.equals(shownOf(pod.shard())))
                .isPresent();
    }

    /** As above, for a member that has a pod; one that has none yet will be. */
    boolean currentTemplate(Member member) {
        return member.pod().map(this::currentTemplate).orElse(true);
    }

    /** Whether a pod fits by what it shows, and does not say so yet. */
    boolean adopts(PodView pod) {
        return currentTemplate(pod) && !pod.template().equals(Optional.of(templateOf(pod.shard())));
    }

    /** Whether a pod was started with the users that hold now. */
    boolean currentAccess(PodView pod) {
        return access.map(hex -> hex.equals(pod.annotations().get(Markers.ACCESS)))
                .orElse(true);
    }

    /** Whether a pod was made from all the inputs that hold now. */
    boolean current(PodView pod) {
        return currentTemplate(pod)
                && currentAccess(pod)
                && directivesForNew.equals(pod.annotations().get(Markers.DIRECTIVES));
    }

    /** Whether a pod ended so soon that it may well never have run. */
    boolean diedSoon(PodView pod) {
        return pod.finished() && pod.createdAt().plus(SOON).isAfter(now);
    }

    /** Whether a member runs, or will run, with the image, configuration and placement that are wished. */
    boolean upToDate(Member member) {
        return currentTemplate(member) && config.reached(member);
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

    /**
     * Whether a lost member's pod was seen to end. A pod that is merely missing may have been made a moment ago by another
     * operator: caches of two kinds of objects are not equally fresh.
     */
    boolean seenToEnd(Member member) {
        return member.lost()
                && (member.pod().filter(PodView::finished).isPresent()
                        || member.record()
                                .status()
                                .podUid()
                                .filter(uid -> uid.equals(ledger.endings().get(member.name())))
                                .isPresent());
    }

    /** The deaths in a shard, if its servers end again and again, made from the inputs that hold now. */
    Optional<Ledger.Crashes> crashing(ShardId shard) {
        return Optional.ofNullable(ledger.crashes().get(shard))
                .filter(crashes -> crashes.count() > 1 && crashes.template().equals(inputs));
    }

    /** Whether slots are on the move: a migration runs, or slots are open. */
    boolean slotsMove() {
        return !moving.isEmpty();
    }

    /**
     * Whether the cluster could lose a node and still agree on things: more than half of all that are believed to own slots
     * are live, say so themselves and serve clients.
     */
    boolean hasQuorum() {
        long owners = shards.values().stream()
                .filter(shard -> shard.owner().filter(Member::serves).isPresent())
                .count();
        return 2 * owners > believedOwners.size();
    }
}
