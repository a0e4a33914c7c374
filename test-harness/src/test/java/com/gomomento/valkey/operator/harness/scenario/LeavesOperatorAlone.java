package com.gomomento.valkey.operator.harness.scenario;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Scenarios that need the operator to be left alone and run beside others of their kind. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ResourceLock(value = DisturbsOperator.OPERATOR, mode = ResourceAccessMode.READ)
public @interface LeavesOperatorAlone {}
