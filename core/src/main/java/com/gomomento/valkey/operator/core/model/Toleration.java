package com.gomomento.valkey.operator.core.model;

import java.util.Optional;
import java.util.OptionalLong;

/** A Kubernetes toleration, verbatim. */
public record Toleration(
        Optional<String> key,
        Optional<String> operator,
        Optional<String> value,
        Optional<String> effect,
        OptionalLong tolerationSeconds) {}
