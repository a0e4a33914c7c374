package com.gomomento.valkey.operator.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.NodeName;
import com.gomomento.valkey.operator.core.model.ReplicationOffset;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.Beliefs;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.observe.MemberBelief.Health;
import com.gomomento.valkey.operator.core.observe.NodeReport;
import com.gomomento.valkey.operator.core.observe.NodeReport.Reachable;
import com.gomomento.valkey.operator.core.observe.NodeReport.ReplicaLink;
import com.gomomento.valkey.operator.core.observe.OpenSlot;
import com.gomomento.valkey.operator.core.observe.SlotMigration;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.Failover.Mode;
import com.gomomento.valkey.operator.core.plan.ValkeyAction.MoveSlots.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a node that has changed since it was looked at is not told, command by command. */
class GuardsTest {

    private static final NodeName NAME = new NodeName("cache-00001");
    private static final NodeName PEER_NAME = new NodeName("cache-00002");
    private static final NodeId ME = id(1);
    private static final NodeId PEER = id(2);
    private static final NodeId THIRD = id(3);
    private static final SlotSet LOW = SlotSet.share(0, 2);
    private static final SlotSet HIGH = SlotSet.share(1, 2);
    private static final ValkeyAction.Peer MET = new ValkeyAction.Peer(PEER_NAME, PEER, "10.0.0.2");

    private static NodeId id(int number) {
        return new NodeId("%040x".formatted(number));
    }

    /** A line of a view, which tests bend. */
    private static final class Line {
        private final NodeId id;
        private Optional<NodeId> follows = Optional.empty();
        private Health health = Health.OK;
        private boolean handshake;
        private boolean linkUp = true;
        private SlotSet slots = SlotSet.EMPTY;
        private final List<OpenSlot> open = new ArrayList<>();

        Line(NodeId id) {
            this.id = id;
        }

        MemberBelief belief() {
            return new MemberBelief(
                    id,
                    Optional.of("10.0.0." + Integer.parseInt(id.value(), 16)),
                    Optional.empty(),
                    follows.isPresent() ? Role.REPLICA : Role.PRIMARY,
                    follows,
                    health,
                    handshake,
                    linkUp,
                    new ConfigEpoch(1),
                    slots,
                    open);
        }
    }

    private final Line me = new Line(ME);
    private final Line peer = new Line(PEER);
    private final Line third = new Line(THIRD);
    private final List<Line> lines = new ArrayList<>(List.of(me, peer, third));
    private Optional<ReplicaLink> link = Optional.empty();
    private boolean clusterOk = true;
    private List<SlotMigration> migrations = List.of();

    private Reachable report() {
        SortedMap<NodeId, MemberBelief> view = new TreeMap<>();
        lines.forEach(line -> view.put(line.id, line.belief()));
        return new Reachable(
                ME,
                "9.1.2",
                me.follows.isPresent() ? Role.REPLICA : Role.PRIMARY,
                link,
                new ReplicationOffset(0),
                clusterOk,
                1,
                new Beliefs(view),
                migrations,
                new NodeReport.MemoryUse(0, 0),
                new TreeMap<>());
    }

    private void goes(ValkeyAction action) {
        assertThat(Guards.check(action, report())).isEqualTo(new Guards.Go());
    }

    private void isDone(ValkeyAction action) {
        assertThat(Guards.check(action, report())).isEqualTo(new Guards.Done());
    }

    private void isRefused(ValkeyAction action, String because) {
        assertThat(Guards.check(action, report()))
                .isInstanceOfSatisfying(
                        Guards.No.class, no -> assertThat(no.reason()).contains(because));
    }

    @Test
    void anotherNodeAtTheAddressIsToldNothing() {
        ValkeyAction action = new ValkeyAction.Meet(NAME, THIRD, List.of(MET));
        isRefused(action, "answers node " + ME + " instead of " + THIRD);
    }

    @Test
    void directivesAreSetOnWhoeverItIs() {
        goes(new ValkeyAction.SetDirectives(NAME, ME, new TreeMap<>(Map.of("maxclients", "100"))));
    }

    @Test
    void whoKnowsAllPeersAtTheirAddressesNeedsNoIntroduction() {
        ValkeyAction meet = new ValkeyAction.Meet(NAME, ME, List.of(MET));
        isDone(meet);
        goes(new ValkeyAction.Meet(NAME, ME, List.of(new ValkeyAction.Peer(PEER_NAME, PEER, "10.0.0.9"))));
        goes(new ValkeyAction.Meet(NAME, ME, List.of(MET, new ValkeyAction.Peer(PEER_NAME, id(4), "10.0.0.4"))));
        peer.handshake = true;
        goes(meet);
    }

    @Test
    void slotsAreClaimedOnlyByAPrimaryAndOnlyIfNobodyHasThem() {
        ValkeyAction claim = new ValkeyAction.ClaimSlots(NAME, ME, LOW, new ConfigEpoch(1));
        goes(claim);
        peer.slots = HIGH;
        goes(claim);
        peer.slots = SlotSet.of(5).plus(HIGH);
        isRefused(claim, "slots 5 are owned by " + PEER);
        me.slots = LOW;
        isDone(claim);
        me.slots = SlotSet.of(7);
        peer.slots = SlotSet.EMPTY;
        goes(claim);
        me.slots = SlotSet.EMPTY;
        me.follows = Optional.of(PEER);
        isRefused(claim, "is a replica and can't own slots");
    }

    @Test
    void whoOwnsSlotsFollowsNobody() {
        ValkeyAction replicate = new ValkeyAction.Replicate(NAME, ME, PEER);
        goes(replicate);
        me.slots = LOW;
        isRefused(replicate, "owns slots 0-8191 and can't become a replica");
        me.slots = SlotSet.EMPTY;
        me.follows = Optional.of(PEER);
        isDone(replicate);
        me.follows = Optional.of(THIRD);
        goes(replicate);
        lines.remove(peer);
        isRefused(replicate, "does not know node " + PEER + " yet");
    }

    private ValkeyAction forget(boolean named, boolean withSlots) {
        return new ValkeyAction.Forget(NAME, ME, PEER, named ? Optional.of(PEER_NAME) : Optional.empty(), withSlots);
    }

    @Test
    void aMemberWithoutSlotsIsForgottenAlsoWhileItSeemsAlive() {
        goes(forget(true, false));
        lines.remove(peer);
        isDone(forget(true, false));
    }

    @Test
    void aNodeOfWhichNothingIsKnownIsForgottenOnlyIfItIsSuspected() {
        isRefused(forget(false, false), "of which nothing is known, is alive");
        peer.health = Health.SUSPECTED;
        goes(forget(false, false));
    }

    @Test
    void nobodyForgetsAHandshakeOrWhomItFollows() {
        peer.handshake = true;
        isRefused(forget(true, false), "is being introduced");
        peer.handshake = false;
        me.follows = Optional.of(PEER);
        isRefused(forget(true, false), "follows node " + PEER);
        me.follows = Optional.of(THIRD);
        goes(forget(true, false));
    }

    @Test
    void anOwnerOfSlotsIsForgottenOnlyIfThatIsAskedForAndNobodyHearsIt() {
        peer.slots = HIGH;
        peer.linkUp = false;
        isRefused(forget(true, false), "owns slots 8192-16383 in the view of " + NAME);
        goes(forget(true, true));
        peer.linkUp = true;
        isRefused(forget(true, true), "has a link to node " + PEER);
        peer.health = Health.FAILED;
        goes(forget(true, true));
    }

    @Test
    void noOwnerIsForgottenByOneThatWouldBeLeftInAMinority() {
        peer.slots = HIGH;
        peer.health = Health.FAILED;
        me.slots = SlotSet.of(1);
        third.slots = SlotSet.of(2);
        third.health = Health.FAILED;
        isRefused(forget(true, true), "would be left in a minority without node " + PEER);
        third.health = Health.OK;
        goes(forget(true, true));
        third.health = Health.SUSPECTED;
        clusterOk = false;
        goes(forget(true, true));
        clusterOk = true;
        third.slots = SlotSet.EMPTY;
        goes(forget(true, true));
        third.slots = SlotSet.of(2);
        third.follows = Optional.of(ME);
        goes(forget(true, true));
    }

    @Test
    void whoHasNoOwnerLeftInItsViewHasNoMajorityToLose() {
        peer.slots = HIGH;
        peer.health = Health.FAILED;
        goes(forget(true, true));
    }

    private static ValkeyAction failover(Mode mode) {
        return new ValkeyAction.Failover(NAME, ME, PEER, mode);
    }

    @Test
    void aPlannedFailoverNeedsTheReplicasLink() {
        me.follows = Optional.of(PEER);
        isRefused(failover(Mode.GRACEFUL), "is not in sync with its primary");
        link = Optional.of(new ReplicaLink(false, true, "10.0.0.2"));
        isRefused(failover(Mode.GRACEFUL), "is not in sync with its primary");
        link = Optional.of(new ReplicaLink(true, false, "10.0.0.2"));
        goes(failover(Mode.GRACEFUL));
        me.follows = Optional.of(THIRD);
        isRefused(failover(Mode.GRACEFUL), "does not follow node " + PEER);
    }

    @Test
    void aTakeOverNeedsAPrimaryThatTheReplicaHasLost() {
        me.follows = Optional.of(PEER);
        link = Optional.of(new ReplicaLink(true, false, "10.0.0.2"));
        isRefused(failover(Mode.TAKEOVER), "is still connected to its primary");
        link = Optional.of(new ReplicaLink(false, false, "10.0.0.2"));
        goes(failover(Mode.TAKEOVER));
        link = Optional.of(new ReplicaLink(true, false, "10.0.0.2"));
        peer.linkUp = false;
        goes(failover(Mode.TAKEOVER));
        peer.linkUp = true;
        peer.health = Health.SUSPECTED;
        goes(failover(Mode.TAKEOVER));
    }

    @Test
    void whoIsPrimaryAlreadyNeedsNoFailover() {
        me.slots = LOW;
        isDone(failover(Mode.GRACEFUL));
        me.slots = SlotSet.EMPTY;
        isRefused(failover(Mode.TAKEOVER), "follows nobody and owns no slot");
    }

    private static ValkeyAction move(Method method) {
        return new ValkeyAction.MoveSlots(NAME, ME, MET, SlotSet.of(5), method);
    }

    @Test
    void slotsMoveFromTheirOwnerToAHealthyPrimary() {
        me.slots = LOW;
        goes(move(Method.ATOMIC));
        goes(move(Method.KEY_BY_KEY));
        peer.linkUp = false;
        isRefused(move(Method.ATOMIC), "does not know " + PEER_NAME + " as a healthy primary");
        peer.linkUp = true;
        peer.health = Health.SUSPECTED;
        isRefused(move(Method.ATOMIC), "as a healthy primary");
        peer.health = Health.OK;
        peer.handshake = true;
        isRefused(move(Method.ATOMIC), "as a healthy primary");
        peer.handshake = false;
        peer.follows = Optional.of(THIRD);
        isRefused(move(Method.ATOMIC), "as a healthy primary");
        lines.remove(peer);
        isRefused(move(Method.ATOMIC), "as a healthy primary");
    }

    @Test
    void aSourceThatDoesNotOwnTheSlotsStartsNoJobAndMayFinishAMoveKeyByKey() {
        isRefused(move(Method.ATOMIC), "does not own slots 5");
        goes(move(Method.KEY_BY_KEY));
    }

    @Test
    void aMoveIsDoneOnceTheTargetOwnsTheSlotsAndNoneIsOpen() {
        peer.slots = LOW;
        isDone(move(Method.ATOMIC));
        me.open.add(new OpenSlot(5, true, PEER));
        goes(move(Method.KEY_BY_KEY));
    }

    @Test
    void aNodeTakesPartInOneMigrationAtATime() {
        me.slots = LOW;
        migrations = List.of(new SlotMigration(true, SlotSet.of(9), ME, THIRD, true, "snapshotting", ""));
        isRefused(move(Method.ATOMIC), "takes part in another migration");
        migrations = List.of(new SlotMigration(true, SlotSet.of(9), ME, THIRD, false, "success", ""));
        goes(move(Method.ATOMIC));
    }

    private static ValkeyAction close() {
        return new ValkeyAction.CloseSlots(NAME, ME, SlotSet.of(5).plus(SlotSet.of(6)), PEER);
    }

    @Test
    void slotsAreClosedOnlyTowardsAPeerThatIsDeadOrUnknown() {
        isDone(close());
        me.open.add(new OpenSlot(5, true, PEER));
        isRefused(close(), "node " + PEER + ", to which slots are open, is alive");
        peer.health = Health.FAILED;
        goes(close());
        lines.remove(peer);
        goes(close());
    }

    @Test
    void aSlotThatIsAwaitedFromALivingPeerIsClosedOnlyIfThePeerDoesNotOwnIt() {
        me.open.add(new OpenSlot(5, false, PEER));
        goes(close());
        peer.slots = SlotSet.of(5);
        isRefused(close(), "is alive");
        peer.slots = SlotSet.of(6);
        goes(close());
    }

    @Test
    void slotsThatHaveComeToBeOpenTowardsAnotherAreNotOurs() {
        me.open.add(new OpenSlot(5, true, THIRD));
        me.open.add(new OpenSlot(77, true, PEER));
        isDone(close());
    }
}
