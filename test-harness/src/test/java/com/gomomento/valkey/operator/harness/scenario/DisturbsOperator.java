package com.gomomento.valkey.operator.harness.scenario;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A scenario that kills, stops or doubles the operator, or harms what all share: no other scenario runs beside it. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ResourceLock(value = DisturbsOperator.OPERATOR, mode = ResourceAccessMode.READ_WRITE)
public @interface DisturbsOperator {

    /** Name of the lock. */
    String OPERATOR = "operator";
}
