package com.gomomento.valkey.operator.core.observe;

import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.Fingerprint;

/**
 * The files that let users and peers in. Both hold credentials, so it prints as its fingerprint only (invariant S19).
 *
 * @param users content of {@code users.acl}
 * @param replication content of {@code replication.conf}: {@code primaryuser} and {@code primaryauth}
 */
public record AclFile(String users, String replication) {

    /** Refuses blank files: an ACL file without a {@code default} line would open the server to everybody. */
    public AclFile {
        Check.notBlank("users.acl", users);
        Check.notBlank("replication.conf", replication);
    }

    /** Tells two versions apart. */
    public Fingerprint fingerprint() {
        return Fingerprint.of(users, replication);
    }

    @Override
    public String toString() {
        return "AclFile[" + fingerprint() + "]";
    }
}
