package com.gomomento.valkey.operator.core.observe;

import com.gomomento.valkey.operator.core.model.Check;
import java.time.Instant;

/**
 * What one member's server counted up to one moment ({@code INFO}). Two of them make a {@link Utilization}.
 *
 * @param runId of the server process; counters of two processes have nothing to do with each other
 * @param takenAt when it was asked
 * @param serverTimeMicros the server's own clock, by which intervals are measured, so that a slow answer distorts none
 * @param cpuSeconds CPU time used since the process started, its background children aside
 * @param memoryUsedBytes memory that counts against {@code maxmemory}: buffers of replicas and of the append-only file don't
 * @param memoryMaxBytes {@code maxmemory}, 0 when there is no limit
 * @param commands processed
 * @param connectedClients at this moment
 * @param networkInBytes read
 * @param networkOutBytes written
 */
public record LoadSample(
        String runId,
        Instant takenAt,
        long serverTimeMicros,
        double cpuSeconds,
        long memoryUsedBytes,
        long memoryMaxBytes,
        long commands,
        long connectedClients,
        long networkInBytes,
        long networkOutBytes) {

    /** Refuses a blank run id and negative counts. */
    public LoadSample {
        Check.notBlank("run id", runId);
        Check.atLeast("server time", 0, serverTimeMicros);
        Check.that(cpuSeconds >= 0 && Double.isFinite(cpuSeconds), "CPU time is " + cpuSeconds);
        Check.atLeast("memory used", 0, memoryUsedBytes);
        Check.atLeast("maxmemory", 0, memoryMaxBytes);
        Check.atLeast("commands", 0, commands);
        Check.atLeast("clients", 0, connectedClients);
        Check.atLeast("bytes read", 0, networkInBytes);
        Check.atLeast("bytes written", 0, networkOutBytes);
    }
}
