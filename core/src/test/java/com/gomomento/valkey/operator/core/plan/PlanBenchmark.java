package com.gomomento.valkey.operator.core.plan;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Time and allocation of one plan of a cluster at rest. Run by {@code ./dev bench plan}. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class PlanBenchmark {

    /** Shards and replicas a shard. */
    @Param({"1x0", "3x1", "6x2", "50x1"})
    public String shape = "3x1";

    private Scene.Input input = Scene.active(1, 0).input();

    /** For JMH. */
    public PlanBenchmark() {}

    /** Makes the cluster. */
    @Setup
    public void prepare() {
        String[] parts = shape.split("x", -1);
        input = Scene.active(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]))
                .input();
    }

    /** Plans. */
    @Benchmark
    public Plan plan() {
        return input.plan();
    }
}
