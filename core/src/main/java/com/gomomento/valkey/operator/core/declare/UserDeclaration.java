package com.gomomento.valkey.operator.core.declare;

import com.gomomento.valkey.operator.core.model.Check;
import java.util.List;

/**
 * One entry of {@code spec.acl}.
 *
 * @param username name in the ACL
 * @param passwordHashes SHA-256 of each valid password, 64 hex digits
 * @param permissions what the user may do; each is independent of the others
 */
public record UserDeclaration(String username, List<String> passwordHashes, List<Permission> permissions) {

    /** Copies its lists. */
    public UserDeclaration {
        Check.notBlank("username", username);
        passwordHashes = List.copyOf(passwordHashes);
        permissions = List.copyOf(permissions);
    }

    /** Name and permissions; hashes are credentials (invariant S19). */
    @Override
    public String toString() {
        return "UserDeclaration[" + username + ", " + permissions + "]";
    }

    /**
     * A role on some keys and channels.
     *
     * @param roleRef name of a ValkeyRole
     * @param keys patterns, each with its access
     * @param channels Pub/Sub channel patterns
     */
    public record Permission(String roleRef, List<KeyPattern> keys, List<String> channels) {

        /** Copies its lists. */
        public Permission {
            Check.notBlank("roleRef", roleRef);
            keys = List.copyOf(keys);
            channels = List.copyOf(channels);
        }
    }

    /** A glob over key names and what it opens. */
    public record KeyPattern(String pattern, KeyAccess access) {

        /** Refuses a blank pattern. */
        public KeyPattern {
            Check.notBlank("pattern", pattern);
        }
    }

    /** How keys may be used, in the words of the custom resource. */
    public enum KeyAccess {
        /** Read only ({@code %R~}). */
        READ("read"),
        /** Write only ({@code %W~}). */
        WRITE("write"),
        /** Both ({@code ~}). */
        READWRITE("readwrite");

        private final String word;

        KeyAccess(String word) {
            this.word = word;
        }

        /** As custom resources spell it. */
        public String word() {
            return word;
        }
    }
}
