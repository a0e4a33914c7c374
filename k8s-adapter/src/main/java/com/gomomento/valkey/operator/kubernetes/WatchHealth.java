package com.gomomento.valkey.operator.kubernetes;

import java.time.Instant;
import java.util.Optional;

/**
 * How the watch of one kind is doing.
 *
 * @param kind such as {@code Pod}
 * @param synced whether it was listed at least once, so that its mirror can be used
 * @param trouble why nothing is heard at the moment; empty while all is well
 * @param since when the trouble began
 * @param ended whether it has given up for good, which only a broken invariant or {@code close} brings about
 */
public record WatchHealth(
        String kind, boolean synced, Optional<String> trouble, Optional<Instant> since, boolean ended) {}
