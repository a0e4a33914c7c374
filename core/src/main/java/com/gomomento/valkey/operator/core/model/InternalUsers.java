package com.gomomento.valkey.operator.core.model;

/** The ACL users that every cluster has for the operator's own purposes. The custom resource refuses these names. */
public final class InternalUsers {

    /** With which the operator logs in. */
    public static final String OPERATOR = "_operator";

    /** With which a replica or the target of a slot migration logs in at its source. */
    public static final String REPLICATION = "_replication";

    private InternalUsers() {}
}
