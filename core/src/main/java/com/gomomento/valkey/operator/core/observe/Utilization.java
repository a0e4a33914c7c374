package com.gomomento.valkey.operator.core.observe;

import com.gomomento.valkey.operator.core.model.Check;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * {@code status.utilization} of a ValkeyNode: how busy one member was between two samples, and how full it was at the later
 * one.
 *
 * @param cpuPercent of the CPU that the member gets, 0 or more; above 100 while the kernel lets it exceed its share
 * @param memoryPercent of {@code maxmemory}; empty when there is no limit
 * @param memoryUsedBytes that count against {@code maxmemory}
 * @param memoryMaxBytes {@code maxmemory}, 0 when there is no limit
 * @param opsPerSecond commands processed a second
 * @param connectedClients at the later sample
 * @param networkInBytesPerSecond read
 * @param networkOutBytesPerSecond written
 * @param sampledAt when the later sample was taken
 */
public record Utilization(
        double cpuPercent,
        OptionalDouble memoryPercent,
        long memoryUsedBytes,
        long memoryMaxBytes,
        double opsPerSecond,
        long connectedClients,
        double networkInBytesPerSecond,
        double networkOutBytesPerSecond,
        Instant sampledAt) {

    private static final double MICROS_PER_SECOND = 1_000_000;

    /**
     * What happened between two samples of one member.
     *
     * @param cpus that the member gets, above 0: 0.5 is half a core
     * @return empty when the two can't be compared: the server was restarted in between, its counters were reset, or its
     *     clock did not advance
     */
    public static Optional<Utilization> between(LoadSample earlier, LoadSample later, double cpus) {
        Check.that(cpus > 0 && Double.isFinite(cpus), "cpus is " + cpus + ", allowed is more than 0");
        long micros = later.serverTimeMicros() - earlier.serverTimeMicros();
        boolean comparable = later.runId().equals(earlier.runId())
                && micros > 0
                && later.cpuSeconds() >= earlier.cpuSeconds()
                && later.commands() >= earlier.commands()
                && later.networkInBytes() >= earlier.networkInBytes()
                && later.networkOutBytes() >= earlier.networkOutBytes();
        if (!comparable) {
            return Optional.empty();
        }
        double seconds = micros / MICROS_PER_SECOND;
        return Optional.of(new Utilization(
                100 * (later.cpuSeconds() - earlier.cpuSeconds()) / seconds / cpus,
                later.memoryMaxBytes() == 0
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(100.0 * later.memoryUsedBytes() / later.memoryMaxBytes()),
                later.memoryUsedBytes(),
                later.memoryMaxBytes(),
                (later.commands() - earlier.commands()) / seconds,
                later.connectedClients(),
                (later.networkInBytes() - earlier.networkInBytes()) / seconds,
                (later.networkOutBytes() - earlier.networkOutBytes()) / seconds,
                later.takenAt()));
    }
}
