package com.gomomento.valkey.operator.core.model;

/**
 * What one member gets, as request and as limit alike.
 *
 * @param cpu a Kubernetes quantity, verbatim
 * @param memory a Kubernetes quantity, verbatim
 * @param memoryBytes what {@code memory} amounts to, 1 or more
 */
public record Resources(String cpu, String memory, long memoryBytes) {

    /** Refuses blank quantities and less than one byte. */
    public Resources {
        Check.notBlank("cpu", cpu);
        Check.notBlank("memory", memory);
        Check.atLeast("memory in bytes", 1, memoryBytes);
    }
}
