package com.gomomento.valkey.operator.harness.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.harness.valkey.Release;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The model and real servers, told the same, show the same. What is not compared, because it differs from one run of real
 * servers to the next: which of several replicas is elected, config epochs that hang on ids, and what a frozen or dead
 * server's link is called at a moment. A way that is cut can't be had on one machine.
 */
@Execution(ExecutionMode.CONCURRENT)
class ConformanceIT {

    private static final int STEPS = 25;

    @ParameterizedTest
    @CsvSource({"V8_1, 1", "V8_1, 4", "V8_1, 8", "V8_1, 14", "V9_1, 1", "V9_1, 4", "V9_1, 8", "V9_1, 15"})
    void theModelShowsWhatRealServersShow(Release release, long seed) {
        Keys keys = new Keys();
        ModelSide model = new ModelSide(seed, version(release), Comparison.NODE_TIMEOUT_MILLIS);
        try (RealSide real = new RealSide(release, keys, Comparison.NODE_TIMEOUT_MILLIS)) {
            Comparison comparison = new Comparison(model, real);
            Generator.bootstrap().forEach(comparison::tell);
            comparison.settle();
            Generator.populate().forEach(comparison::tell);
            comparison.settle();
            Generator generator = new Generator(seed, model.servers(), release == Release.V9_1);
            List<Command> told = new ArrayList<>();
            for (int step = 0; step < STEPS && comparison.differences().isEmpty(); step++) {
                List<Command> next = generator.next();
                told.addAll(next);
                next.forEach(comparison::tell);
                comparison.settle();
            }
            assertThat(comparison.differences())
                    .as("differences between model and real servers %s after %s", release, told)
                    .isEmpty();
        }
    }

    private static ServerVersion version(Release release) {
        return switch (release) {
            case V8_1 -> new ServerVersion(8, 1, 1);
            case V9_1 -> new ServerVersion(9, 1, 2);
        };
    }
}
