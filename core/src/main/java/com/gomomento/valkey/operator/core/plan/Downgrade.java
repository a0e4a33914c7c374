package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.ServerSpec;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.model.ShardId;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Shards whose primary runs a newer release than is wished. A server of an older one can't read what a newer one sends to its
 * replicas, so there is no way back but an empty cluster: such a shard keeps its release, also for members that are replaced.
 * One that has not yet got a primary of the newer release goes back without harm.
 */
final class Downgrade {

    private static final Comparator<ServerVersion> RELEASE =
            Comparator.comparingInt(ServerVersion::major).thenComparingInt(ServerVersion::minor);

    private Downgrade() {}

    /** What such shards run, by shard. */
    static SortedMap<ShardId, ServerSpec> refused(ClusterSpec spec, Collection<Member> members) {
        SortedMap<ShardId, ServerSpec> kept = new TreeMap<>();
        for (Member member : members) {
            Optional<ServerVersion> runs = member.version().filter(ignored -> member.ownsSlots());
            if (runs.isPresent() && newer(runs.get(), spec.server().version())) {
                String image = member.pod().map(PodView::image).orElseThrow();
                kept.put(
                        member.shard(),
                        new ServerSpec(
                                image,
                                runs.get(),
                                spec.server().resources(),
                                spec.server().directives()));
            }
        }
        return kept;
    }

    private static boolean newer(ServerVersion one, ServerVersion other) {
        return RELEASE.compare(one, other) > 0;
    }

    /** What is told of it. */
    static void tell(Situation situation, Draft draft) {
        situation.downgrades.entrySet().stream().findFirst().ifPresent(first -> {
            ServerVersion runs = first.getValue().version();
            draft.because(
                    Reason.Kind.INPUT,
                    "version of the ValkeyImage is " + situation.spec.server().version() + ", and the primary of shard "
                            + first.getKey().index() + " runs " + runs
                            + "; an older server can't read what a newer one holds, allowed is " + runs.major() + "."
                            + runs.minor() + ".0 or newer");
        });
    }
}
