package com.gomomento.valkey.operator.core.model;

import java.util.List;

/**
 * A client user whose roles are already resolved.
 *
 * @param username name in the ACL file
 * @param passwordHashes SHA-256 of each valid password, 64 hex digits; never to be printed
 * @param rules what it may do, as ACL rule tokens ({@code +@read ~cache:*}), one entry a permission
 */
public record AclUser(String username, List<String> passwordHashes, List<String> rules) {

    /** Copies its lists. */
    public AclUser {
        Check.notBlank("username", username);
        passwordHashes = List.copyOf(passwordHashes);
        rules = List.copyOf(rules);
    }

    /** Name and number of passwords; hashes are credentials (invariant S19). */
    @Override
    public String toString() {
        return "AclUser[" + username + ", " + passwordHashes.size() + " passwords, " + rules + "]";
    }
}
