package com.gomomento.valkey.operator.harness.conformance;

import com.gomomento.valkey.operator.harness.conformance.ApiRequest.Manner;
import com.gomomento.valkey.operator.harness.conformance.ApiRequest.Named;
import com.gomomento.valkey.operator.sim.Dice;
import com.gomomento.valkey.operator.sim.kubernetes.Content;
import com.gomomento.valkey.operator.sim.kubernetes.Kind;
import com.gomomento.valkey.operator.sim.kubernetes.Stored;
import java.util.List;
import java.util.Optional;

/** Draws the next request from what the model has come to. Few names, so that most requests meet something. */
final class ApiGenerator {

    private static final List<String> NAMES = List.of("a0", "a1");
    private static final List<String> CLUSTERS = List.of("c0", "c1");
    private static final List<Integer> GRACES_SECONDS = List.of(0, 5, 30);

    private final Dice dice;
    private final ApiModelSide model;

    ApiGenerator(long seed, ApiModelSide model) {
        this.dice = new Dice(seed);
        this.model = model;
    }

    ApiRequest next() {
        Kind kind = dice.pick(ApiRealSide.KINDS);
        // Pods have the most ways to go.
        kind = dice.chance(250) ? Kind.POD : kind;
        String name = dice.pick(kind == Kind.CLUSTER ? CLUSTERS : NAMES);
        Optional<Stored> there = model.get(kind, name);
        int value = dice.below(3);
        if (there.isEmpty() && dice.chance(800)) {
            return new ApiRequest.Create(kind, name, owner(kind), value);
        }
        return switch (dice.below(10)) {
            case 0 -> new ApiRequest.Create(kind, name, owner(kind), value);
            case 1, 2 -> new ApiRequest.Delete(kind, name, named(), dice.pick(GRACES_SECONDS));
            case 3, 4, 5 ->
                kind == Kind.POD && there.isPresent() ? podStep(there.get(), value) : write(kind, name, value);
            default -> write(kind, name, value);
        };
    }

    private Optional<String> owner(Kind kind) {
        return kind == Kind.CLUSTER || dice.chance(200) ? Optional.empty() : Optional.of(dice.pick(CLUSTERS));
    }

    private Named named() {
        return dice.chance(200) ? Named.WRONG : dice.chance(500) ? Named.RIGHT : Named.NOTHING;
    }

    private ApiRequest podStep(Stored pod, int value) {
        String name = pod.key().name();
        Content.PodState state = pod.pod().state();
        if (state.machine().isEmpty()) {
            return new ApiRequest.Bind(name);
        }
        if (state.finished()) {
            return write(Kind.POD, name, value);
        }
        return dice.chance(700) ? new ApiRequest.Run(name) : new ApiRequest.Fail(name);
    }

    private ApiRequest write(Kind kind, String name, int value) {
        Manner manner = switch (kind) {
            case CLUSTER, NODE -> dice.chance(500) ? Manner.STATUS : Manner.MERGE;
            case POD -> Manner.MERGE;
            case SERVICE, CONFIG_MAP, SECRET, DISRUPTION_BUDGET -> dice.chance(500) ? Manner.APPLY : Manner.MERGE;
            case CONFIG, IMAGE -> throw new IllegalStateException(kind + " is not drawn");
        };
        if (manner == Manner.APPLY) {
            return new ApiRequest.Write(
                    kind, name, manner, value, dice.chance(250) ? Named.WRONG : Named.RIGHT, Named.NOTHING);
        }
        Named version = kind == Kind.DISRUPTION_BUDGET || dice.chance(500) ? Named.NOTHING : named();
        return new ApiRequest.Write(kind, name, manner, value, named(), version);
    }
}
