package com.gomomento.valkey.operator.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ClusterState;
import com.gomomento.valkey.operator.core.model.SlotSet;
import com.gomomento.valkey.operator.core.observe.PodView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Holds what the planner decides and says against transcripts that a person has read. Run with {@code
 * -Dtranscripts.write=true} to write them anew, then read the difference.
 */
class PlanTranscriptTest {

    private static final Path FOLDER = Path.of("src/test/resources/plans");

    @Test
    void bootstrap() throws IOException {
        Transcript transcript = new Transcript();
        Scene scene = Scene.of(2, 1);
        scene.published = Optional.of(ClusterState.CREATING);
        scene.support = false;
        transcript.add("applied a moment ago", scene.planAndRemember());
        scene.support = true;
        transcript.add("Service, ConfigMap and Secrets exist", scene.planAndRemember());
        scene.withFreshNodes();
        scene.nodes.forEach(node -> node.noted = false);
        scene.node(1, 1).phase = PodView.Phase.PENDING;
        scene.node(1, 1).trouble =
                Optional.of(new PodView.Unschedulable("0/3 nodes are available: 3 Insufficient cpu."));
        transcript.add("one pod can't be placed", scene.planAndRemember());
        scene.node(1, 1).phase = PodView.Phase.RUNNING;
        scene.node(1, 1).trouble = Optional.empty();
        scene.nodes.forEach(node -> node.noted = true);
        transcript.add("all servers answer", scene.planAndRemember());
        scene.formed = true;
        transcript.add("the claim is announced", scene.planAndRemember());
        claim(scene, 0);
        transcript.add("cut off after the first claim", scene.planAndRemember());
        claim(scene, 1);
        transcript.add("all slots are claimed", scene.planAndRemember());
        scene.nodes.forEach(node -> node.met = true);
        transcript.add("all know all", scene.planAndRemember());
        scene.node(0, 1).follows = Optional.of(scene.node(0, 0));
        scene.node(1, 1).follows = Optional.of(scene.node(1, 0));
        scene.node(1, 1).linkUp = false;
        transcript.add("one replica is still syncing", scene.planAndRemember());
        scene.node(1, 1).linkUp = true;
        transcript.add("whole", scene.planAndRemember());
        scene.published = Optional.of(ClusterState.ACTIVE);
        scene.nodes.forEach(node -> node.joined = true);
        transcript.add("at rest", scene.planAndRemember());
        compare("bootstrap.txt", transcript);
    }

    @Test
    void lostReplica() throws IOException {
        Transcript transcript = new Transcript();
        Scene scene = Scene.active(2, 1);
        SceneNode dead = scene.node(1, 1).died("OOMKilled", 137, "");
        transcript.add("a replica was killed", scene.planAndRemember());
        SceneNode successor = scene.add(1, 1);
        successor.replaces = Optional.of(dead.name);
        successor.noted = false;
        successor.phase = PodView.Phase.PENDING;
        dead.vanished();
        transcript.add("its pod is gone, the successor starts", scene.planAndRemember());
        scene.nodes.forEach(node -> node.delusions.put(dead.id, Optional.empty()));
        successor.noted = true;
        successor.phase = PodView.Phase.RUNNING;
        transcript.add("nobody lists it any more, the successor answers", scene.planAndRemember());
        compare("lost-replica.txt", transcript);
    }

    @Test
    void lostPrimary() throws IOException {
        Transcript transcript = new Transcript();
        Scene scene = Scene.active(2, 1);
        SceneNode dead = scene.node(0, 0).died("Error", 137, "");
        transcript.add("a primary was killed", scene.planAndRemember());
        SceneNode replica = scene.node(0, 1);
        replica.follows = Optional.empty();
        replica.slots = dead.slots;
        replica.epoch = 9;
        dead.slots = SlotSet.EMPTY;
        dead.follows = Optional.empty();
        dead.vanished();
        SceneNode successor = scene.add(0, 0);
        successor.replaces = Optional.of(dead.name);
        successor.met = true;
        transcript.add("its replica was elected, the successor has joined", scene.planAndRemember());
        compare("lost-primary.txt", transcript);
    }

    private static void claim(Scene scene, int shard) {
        SceneNode node = scene.node(shard, 0);
        node.slots = SlotSet.share(shard, scene.shards);
        node.epoch = shard + 1L;
    }

    private static void compare(String name, Transcript transcript) throws IOException {
        Path file = FOLDER.resolve(name);
        if (Boolean.getBoolean("transcripts.write")) {
            Files.writeString(file, transcript.toString(), StandardCharsets.UTF_8);
        }
        assertThat(transcript.toString()).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
    }
}
