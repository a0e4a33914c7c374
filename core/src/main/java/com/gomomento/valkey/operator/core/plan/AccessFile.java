package com.gomomento.valkey.operator.core.plan;

import com.gomomento.valkey.operator.core.model.AclUser;
import com.gomomento.valkey.operator.core.model.Check;
import com.gomomento.valkey.operator.core.model.InternalUsers;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.Credentials;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * {@code users.acl} and {@code replication.conf}: who may log in at a member, and as whom members log in at each other.
 *
 * <p>Both files must be readable by every server from 8.0 to 9.1, since the members of one cluster read the same files
 * while it is upgraded. A server that meets a subcommand it does not know refuses the whole file, so none is named that
 * 8.0 lacks ({@code cluster|syncslots}, {@code cluster|migrateslots}); such rights come with their container command.
 *
 * <p>The same users, in whatever order, give the same bytes, so that nothing is reloaded for an order.
 */
public final class AccessFile {

    /**
     * What the operator does: reads and shapes the topology, reads the state, sets directives, reloads users, and moves keys
     * on servers without atomic slot migration. Only that last command touches keys, so only it may.
     */
    private static final String OPERATOR_RIGHTS =
            "resetkeys resetchannels -@all +cluster +info +ping +client|setinfo +acl|load +acl|list +config|get"
                    + " +config|set (~* +migrate)";

    /**
     * What one member does at another: follow it, and write to it the keys of slots that move there. Topology commands are
     * taken away again, since all of {@code cluster} had to be given for {@code cluster|syncslots}.
     */
    private static final String REPLICATION_RIGHTS =
            "resetkeys resetchannels ~* -@all +@write +@transaction +select +ping +psync +replconf +cluster"
                    + " -cluster|addslots -cluster|addslotsrange -cluster|bumpepoch -cluster|count-failure-reports"
                    + " -cluster|delslots -cluster|delslotsrange -cluster|failover -cluster|flushslots -cluster|forget"
                    + " -cluster|meet -cluster|replicate -cluster|reset -cluster|saveconfig"
                    + " -cluster|set-config-epoch -cluster|setslot";

    private static final String DEFAULT_USER = "default";
    private static final Pattern BLANK_OR_CONTROL = Pattern.compile("[\\s\\p{Cntrl}]");
    private static final Pattern CONTROL_BUT_SPACE = Pattern.compile("[\\p{Cntrl}\\u2028\\u2029]");
    private static final Pattern HASH = Pattern.compile("[0-9a-fA-F]{64}");

    private AccessFile() {}

    /**
     * Renders both files.
     *
     * @param acl client users; with none the default user is open to everybody, with some it is off unless it is one of
     *     them
     * @param credentials of the internal users
     * @throws IllegalArgumentException for a user of whom {@link #refusal} has something to say, and for two of one name
     */
    public static AclFile render(List<AclUser> acl, Credentials credentials) {
        List<AclUser> users =
                acl.stream().sorted(Comparator.comparing(AclUser::username)).toList();
        for (AclUser user : users) {
            refusal(user).ifPresent(sentence -> {
                throw new IllegalArgumentException(sentence);
            });
        }
        Check.that(
                users.stream().map(AclUser::username).distinct().count() == users.size(),
                "two users of the ACL have the same name");
        List<String> lines = new ArrayList<>();
        lines.add(internal(InternalUsers.OPERATOR, credentials.operator(), OPERATOR_RIGHTS));
        lines.add(internal(InternalUsers.REPLICATION, credentials.replication(), REPLICATION_RIGHTS));
        if (users.isEmpty()) {
            lines.add("user " + DEFAULT_USER + " on nopass ~* &* +@all");
        } else if (users.stream().noneMatch(user -> user.username().equals(DEFAULT_USER))) {
            // Without this line the server would give the default user every right and no password.
            lines.add("user " + DEFAULT_USER + " off");
        }
        users.forEach(user -> lines.add(client(user)));
        return new AclFile(lines(lines), replication(credentials.replication()));
    }

    /**
     * Why a server could not read this user's line, or would read more out of it than was meant.
     *
     * @return a sentence for people without any credential; empty when the user can be rendered
     */
    public static Optional<String> refusal(AclUser user) {
        String name = user.username();
        if (BLANK_OR_CONTROL.matcher(name).find()) {
            return Optional.of("username holds a blank or control character; allowed is one word");
        }
        if (name.equals(InternalUsers.OPERATOR) || name.equals(InternalUsers.REPLICATION)) {
            return Optional.of("username " + name + " is reserved for the operator");
        }
        if (!user.passwordHashes().stream().allMatch(hash -> HASH.matcher(hash).matches())) {
            return Optional.of("user " + name + " has a password hash that is not 64 hex digits");
        }
        return user.rules().stream()
                .flatMap(rule -> refusalOfRule(name, rule).stream())
                .findFirst();
    }

    private static Optional<String> refusalOfRule(String name, String rule) {
        if (CONTROL_BUT_SPACE.matcher(rule).find()) {
            return Optional.of("user " + name + " has a rule with a control character");
        }
        // The server ends a selector at the first word that ends with a parenthesis, even inside a pattern.
        return List.of(rule.split(" ", -1)).stream()
                .filter(token -> token.startsWith("(") || token.endsWith(")"))
                .findFirst()
                .map(token -> "user " + name + " has the rule '" + token
                        + "'; allowed is one that neither begins with ( nor ends with )");
    }

    private static String internal(String name, SecretText password, String rights) {
        return "user " + name + " on #" + password.sha256Hex() + " " + rights;
    }

    private static String client(AclUser user) {
        StringBuilder line = new StringBuilder("user ").append(user.username()).append(" on");
        // Servers know hashes in lower case only.
        user.passwordHashes().stream()
                .map(hash -> hash.toLowerCase(Locale.ROOT))
                .sorted()
                .distinct()
                .forEach(hash -> line.append(" #").append(hash));
        line.append(" resetkeys resetchannels -@all");
        // A selector each: what one permission allows never reaches the keys of another.
        user.rules().stream()
                .filter(rule -> !rule.isBlank())
                .forEach(rule -> line.append(" (").append(rule.strip()).append(')'));
        return line.toString();
    }

    private static String replication(SecretText password) {
        String secret = password.reveal();
        Check.that(
                !CONTROL_BUT_SPACE.matcher(secret).find(), "the replication user's password holds a control character");
        String escaped = secret.replace("\\", "\\\\").replace("\"", "\\\"");
        return lines(List.of("primaryuser " + InternalUsers.REPLICATION, "primaryauth \"" + escaped + "\""));
    }

    private static String lines(List<String> lines) {
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }
}
