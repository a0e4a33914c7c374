package com.gomomento.valkey.operator.core.declare;

import com.gomomento.valkey.operator.core.declare.UserDeclaration.KeyPattern;
import com.gomomento.valkey.operator.core.declare.UserDeclaration.Permission;
import com.gomomento.valkey.operator.core.model.AclUser;
import com.gomomento.valkey.operator.core.model.InternalUsers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Turns {@code spec.acl} into ACL users, following each {@code roleRef}. An ACL file has no quoting: its tokens end at a
 * space, and a closing parenthesis at the end of a token ends a selector, so what would break out of its token is refused.
 */
final class AccessRules {

    private static final Set<String> RESERVED = Set.of(InternalUsers.OPERATOR, InternalUsers.REPLICATION);
    private static final Pattern TOKEN = Pattern.compile("[!-~]+");
    private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");
    private static final Pattern CATEGORY = Pattern.compile("[A-Za-z0-9_-]+");
    private static final Pattern COMMAND = Pattern.compile("[A-Za-z0-9_.-]+(\\|[A-Za-z0-9_.:-]+)?");

    private final Catalog catalog;
    private final Problems problems;

    AccessRules(Catalog catalog, Problems problems) {
        this.catalog = catalog;
        this.problems = problems;
    }

    /** One ACL user a declaration, in the same order. */
    List<AclUser> resolve(List<UserDeclaration> users) {
        TreeSet<String> seen = new TreeSet<>();
        List<AclUser> resolved = new ArrayList<>();
        for (UserDeclaration user : users) {
            if (!seen.add(user.username())) {
                problems.add("spec.acl names user '" + printable(user.username()) + "' twice, allowed is once");
            }
            resolved.add(resolve(user));
        }
        return resolved;
    }

    private AclUser resolve(UserDeclaration user) {
        String username = user.username();
        if (RESERVED.contains(username)) {
            problems.add("spec.acl names user '" + username
                    + "', which the operator keeps for itself; allowed is any other");
        }
        if (!TOKEN.matcher(username).matches()) {
            problems.add(
                    "spec.acl has a username with a character other than visible ASCII: '" + printable(username) + "'");
        }
        if (!user.passwordHashes().stream().allMatch(hash -> HASH.matcher(hash).matches())) {
            problems.add("spec.acl user '" + printable(username)
                    + "' has a password hash of another form; allowed is a SHA-256 as 64 hex digits");
        }
        List<String> hashes = user.passwordHashes().stream()
                .map(hash -> hash.toLowerCase(Locale.ROOT))
                .toList();
        List<String> rules = user.permissions().stream()
                .map(permission -> rule(username, permission))
                .filter(rule -> !rule.isEmpty())
                .toList();
        return new AclUser(username, hashes, rules);
    }

    private String rule(String username, Permission permission) {
        List<String> tokens = new ArrayList<>();
        role(username, permission.roleRef()).ifPresent(role -> {
            role.categories().forEach(rule -> tokens.add(token(permission.roleRef(), "category", CATEGORY, "@", rule)));
            role.commands().forEach(rule -> tokens.add(token(permission.roleRef(), "command", COMMAND, "", rule)));
        });
        for (KeyPattern key : permission.keys()) {
            tokens.add(prefix(key) + pattern(username, "key", key.pattern()));
        }
        for (String channel : permission.channels()) {
            tokens.add("&" + pattern(username, "channel", channel));
        }
        return String.join(" ", tokens);
    }

    private Optional<Catalog.AccessRole> role(String username, String roleRef) {
        Catalog.Entry<Catalog.AccessRole> entry = catalog.roles().get(roleRef);
        return switch (entry) {
            case null -> {
                problems.add("roleRef of user '" + printable(username) + "' is '" + roleRef
                        + "', and there is no ValkeyRole of that name");
                yield Optional.empty();
            }
            case Catalog.Unusable<Catalog.AccessRole>(String reason) -> {
                problems.add("ValkeyRole '" + roleRef + "' can't be read: " + reason);
                yield Optional.empty();
            }
            case Catalog.Usable<Catalog.AccessRole>(Catalog.AccessRole role) -> Optional.of(role);
        };
    }

    private String token(String roleRef, String what, Pattern form, String prefix, Catalog.AccessRule rule) {
        if (!form.matcher(rule.name()).matches()) {
            problems.add("ValkeyRole '" + roleRef + "' has " + what + " '" + printable(rule.name())
                    + "', which is no name of a " + what);
        }
        return (rule.allow() ? "+" : "-") + prefix + rule.name().toLowerCase(Locale.ROOT);
    }

    private String pattern(String username, String what, String pattern) {
        if (!TOKEN.matcher(pattern).matches() || pattern.endsWith(")")) {
            problems.add("spec.acl user '" + printable(username) + "' has " + what + " pattern '" + printable(pattern)
                    + "', allowed is visible ASCII without a ')' at the end");
        }
        return pattern;
    }

    private static String prefix(KeyPattern key) {
        return switch (key.access()) {
            case READ -> "%R~";
            case WRITE -> "%W~";
            case READWRITE -> "~";
        };
    }

    /** What stands in a status and in a log line must be one line. */
    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
