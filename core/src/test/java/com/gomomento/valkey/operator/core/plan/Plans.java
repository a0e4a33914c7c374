package com.gomomento.valkey.operator.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ConfigEpoch;
import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.model.NodeId;
import com.gomomento.valkey.operator.core.model.Role;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.MemberBelief;
import com.gomomento.valkey.operator.core.port.Journal;
import java.util.List;
import java.util.Optional;

/** What tests ask of plans, and lines that they put into views. */
final class Plans {

    private Plans() {}

    static Lifecycle statusOf(Plan plan, SceneNode node) {
        return plan.status().nodes().stream()
                .filter(line -> line.name().equals(node.name))
                .findFirst()
                .orElseThrow()
                .lifecycle();
    }

    static MemberBelief primaryLine(NodeId id, SlotSet slots, boolean dead) {
        return new MemberBelief(
                id,
                Optional.of("10.9.9.9"),
                Optional.empty(),
                Role.PRIMARY,
                Optional.empty(),
                dead ? MemberBelief.Health.FAILED : MemberBelief.Health.OK,
                false,
                !dead,
                new ConfigEpoch(0),
                slots,
                List.of());
    }

    static MemberBelief handshakeLine(NodeId id, String ip) {
        return new MemberBelief(
                id,
                Optional.of(ip),
                Optional.empty(),
                Role.PRIMARY,
                Optional.empty(),
                MemberBelief.Health.OK,
                true,
                false,
                new ConfigEpoch(0),
                SlotSet.EMPTY,
                List.of());
    }

    static <A> List<A> actions(Plan plan, Class<A> kind) {
        return plan.actions().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    static <A> A only(Plan plan, Class<A> kind) {
        List<A> found = actions(plan, kind);
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    static List<String> messages(Plan plan) {
        return plan.events().stream().map(Journal.Entry::message).toList();
    }
}
