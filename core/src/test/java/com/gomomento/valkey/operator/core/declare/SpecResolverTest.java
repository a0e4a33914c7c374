package com.gomomento.valkey.operator.core.declare;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.declare.Catalog.AccessRole;
import com.gomomento.valkey.operator.core.declare.Catalog.AccessRule;
import com.gomomento.valkey.operator.core.declare.Catalog.Unusable;
import com.gomomento.valkey.operator.core.declare.UserDeclaration.KeyAccess;
import com.gomomento.valkey.operator.core.declare.UserDeclaration.KeyPattern;
import com.gomomento.valkey.operator.core.declare.UserDeclaration.Permission;
import com.gomomento.valkey.operator.core.model.AclUser;
import com.gomomento.valkey.operator.core.model.ClusterKey;
import com.gomomento.valkey.operator.core.model.ClusterSpec;
import com.gomomento.valkey.operator.core.model.Placement;
import com.gomomento.valkey.operator.core.model.Resources;
import com.gomomento.valkey.operator.core.model.ServerSpec;
import com.gomomento.valkey.operator.core.model.ServerVersion;
import com.gomomento.valkey.operator.core.model.Toleration;
import com.gomomento.valkey.operator.core.model.ZoneSpread;
import com.gomomento.valkey.operator.core.plan.ServerConfig;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpecResolverTest {

    private static final String HASH = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b";

    private final Declarations world = new Declarations();

    @Test
    void resolvesAPlainCluster() {
        assertThat(spec())
                .isEqualTo(new ClusterSpec(
                        new ClusterKey("shop", "orders"),
                        7,
                        3,
                        1,
                        new ServerSpec(
                                "docker.io/valkey/valkey:9.1.2",
                                new ServerVersion(9, 1, 2),
                                new Resources("500m", "1Gi", 1L << 30),
                                new TreeMap<>()),
                        Placement.ANYWHERE,
                        List.of(),
                        new TreeMap<>()));
    }

    @Test
    void letsTheNearerConfigWinDirectiveByDirective() {
        world.image("valkey-8-1", "docker.io/valkey/valkey:8.1.4", "8.1.4")
                .config("root", "", "valkey-8-1", "1", "2Gi", Map.of("hz", "10", "maxclients", "100", "save", "900 1"))
                .config("middle", "root", "", "2", "", Map.of("MaxClients", "200"))
                .config("production", "middle", "valkey-9-1", "", "", Map.of("hz", "20", "save", ""));

        ServerSpec server = spec().server();

        assertThat(server.version()).isEqualTo(new ServerVersion(9, 1, 2));
        assertThat(server.resources()).isEqualTo(new Resources("2", "2Gi", 2L << 30));
        assertThat(server.directives()).isEqualTo(Map.of("hz", "20", "maxclients", "200", "save", "\"\""));
    }

    @Test
    void followsAChainOfAnyDepth() {
        world.config("production", "c1", "", "", "", Map.of());
        for (int link = 1; link < 500; link++) {
            world.config("c" + link, "c" + (link + 1), "", "", "", Map.of());
        }
        world.config("c500", "", "valkey-9-1", "1", "1Gi", Map.of("hz", "7"));

        assertThat(spec().server().directives()).isEqualTo(Map.of("hz", "7"));
    }

    @Test
    void showsTheLoopThatConfigsForm() {
        world.config("production", "a", "", "", "", Map.of())
                .config("a", "b", "", "", "", Map.of())
                .config("b", "a", "", "", "", Map.of());

        assertThat(sentence()).isEqualTo("ValkeyConfigs inherit from each other in a loop: a -> b -> a");
    }

    @Test
    void showsALoopOfOne() {
        world.config("production", "production", "", "", "", Map.of());

        assertThat(sentence()).isEqualTo("ValkeyConfigs inherit from each other in a loop: production -> production");
    }

    @Test
    void namesAMissingConfig() {
        world.configRef = "staging";

        assertThat(sentence()).isEqualTo("spec.configRef is 'staging', and there is no ValkeyConfig of that name");
    }

    @Test
    void namesAMissingLink() {
        world.config("production", "a", "", "", "", Map.of()).config("a", "gone", "", "", "", Map.of());

        assertThat(sentence())
                .isEqualTo("baseRef of ValkeyConfig 'a' is 'gone', and there is no ValkeyConfig of that name");
    }

    @Test
    void saysWhyALinkCannotBeRead() {
        world.config("production", "a", "", "", "", Map.of())
                .unreadableConfig("a", "spec.valkey.save is a list, allowed is text");

        assertThat(sentence()).isEqualTo("ValkeyConfig 'a' can't be read: spec.valkey.save is a list, allowed is text");
    }

    @Test
    void namesAnUnregisteredImage() {
        world.config("production", "base", "", "", "", Map.of()).config("base", "", "valkey-7", "1", "1Gi", Map.of());

        assertThat(sentence())
                .isEqualTo("imageRef of ValkeyConfig 'base' is 'valkey-7', and there is no ValkeyImage of that name");
    }

    @Test
    void saysWhyAnImageCannotBeRead() {
        world.images.put("valkey-9-1", new Unusable<>("spec.version is missing"));

        assertThat(sentence()).isEqualTo("ValkeyImage 'valkey-9-1' can't be read: spec.version is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"8.0.0", "8.1.4", "9.0.1", "9.1.2", "9.1.99", "9.1.0-rc1"})
    void acceptsServersOf8_0To9_1(String version) {
        world.image("valkey-9-1", "docker.io/valkey/valkey:x", version);

        assertThat(spec().server().version()).isEqualTo(ServerVersion.parse(version));
    }

    @ParameterizedTest
    @ValueSource(strings = {"7.2.5", "9.2.0", "10.0.0", "9.1", "latest", "9.1.2.3"})
    void refusesOtherServers(String version) {
        world.image("valkey-9-1", "docker.io/valkey/valkey:x", version);

        assertThat(sentence())
                .isEqualTo("version of ValkeyImage 'valkey-9-1' is '" + version
                        + "', allowed is 8.0.0 to 9.1.x, as major.minor.patch");
    }

    @Test
    void wantsImageCpuAndMemorySomewhereInTheChain() {
        world.config("production", "base", "", "", "", Map.of()).config("base", "", "", "", "", Map.of());

        assertThat(sentence())
                .isEqualTo("imageRef is missing, set it in ValkeyConfig 'production' or 'base';"
                        + " resources.cpu is missing, set it in ValkeyConfig 'production' or 'base';"
                        + " resources.memory is missing, set it in ValkeyConfig 'production' or 'base'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "two", "1Kx", "1e", "500 m"})
    void refusesACpuThatIsNoAmountAboveZero(String cpu) {
        world.config("production", "", "valkey-9-1", cpu, "1Gi", Map.of());

        assertThat(sentence())
                .isEqualTo("resources.cpu of ValkeyConfig 'production' is '" + cpu
                        + "', allowed is a quantity above 0, such as 500m or 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "15Mi", "512m", "1gb", "-1Gi", "99999999E"})
    void refusesAMemoryThatNoServerRunsIn(String memory) {
        world.config("production", "", "valkey-9-1", "1", memory, Map.of());

        assertThat(sentence())
                .isEqualTo("resources.memory of ValkeyConfig 'production' is '" + memory
                        + "', allowed is a quantity of 16Mi or more, such as 512Mi or 4Gi");
    }

    @ParameterizedTest
    @ValueSource(strings = {"100mb", "1gb", "1GB", "1g", "1073741824", "1k"})
    void acceptsAMaxmemoryWithinTheMemory(String maxmemory) {
        world.directives(Map.of("maxmemory", maxmemory));

        assertThat(spec().server().directives()).isEqualTo(Map.of("maxmemory", maxmemory));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1025mb", "2gb", "1073741825", "0", "-1", "75%", "1Gi", "9999999999999999999gb", ""})
    void refusesAMaxmemoryAboveTheMemoryOrWithoutLimit(String maxmemory) {
        world.config("production", "base", "", "", "", Map.of())
                .config("base", "", "valkey-9-1", "1", "1Gi", Map.of("maxmemory", maxmemory));

        assertThat(sentence())
                .isEqualTo("maxmemory of ValkeyConfig 'base' is '" + maxmemory + "', allowed is 1 byte to"
                        + " resources.memory (1Gi = 1073741824 bytes), such as 100mb; 0 would mean no limit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"port", "PORT", "bind", "tls-port", "tls-anything", "cluster-announce-ip", "primaryauth"})
    void refusesADirectiveThatTheOperatorOwns(String directive) {
        world.directives(Map.of(directive, "1"));

        assertThat(sentence())
                .isEqualTo("valkey of ValkeyConfig 'production' sets '" + directive.toLowerCase(Locale.ROOT)
                        + "', which the operator keeps for itself");
    }

    @Test
    void overridesNoDirectiveInSilence() {
        List<String> lines = ServerConfig.file().lines().toList();
        int user = lines.indexOf("include " + ServerConfig.DIRECTIVES_DIR + "/*.conf");
        List<String> written =
                lines.stream().map(line -> line.substring(0, line.indexOf(' '))).toList();

        assertThat(written).contains("port", "aclfile", "cluster-node-timeout", "include");
        for (String directive : written) {
            switch (new Declarations().directives(Map.of(directive, "77")).resolve()) {
                case Resolution.Resolved(ClusterSpec spec) -> {
                    assertThat(written.lastIndexOf(directive))
                            .as(
                                    "line of %s; the user's file, which overrides it, is included in line %s",
                                    directive, user)
                            .isLessThan(user);
                    assertThat(ServerConfig.directives(spec)).isEqualTo(directive + " 77\n");
                }
                case Resolution.Unusable(String sentence) ->
                    assertThat(sentence).contains("'" + directive + "'");
            }
        }
    }

    @Test
    void usesThreeQuartersOfTheMemoryUnlessTheUserSaysHowMuch() {
        long bytes = spec().server().resources().memoryBytes();
        assertThat(ServerConfig.arguments(spec())).containsExactly("--maxmemory", Long.toString(bytes / 100 * 75));

        world.directives(Map.of("maxmemory", "77"));
        assertThat(ServerConfig.arguments(spec())).isEmpty();
    }

    @Test
    void writesAnEmptyValueSoThatTheServerReadsIt() {
        world.directives(Map.of("notify-keyspace-events", ""));
        assertThat(ServerConfig.directives(spec())).isEqualTo("notify-keyspace-events \"\"\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"900 1\nport 1", "a\rb", "a\u0000b", "a\u007fb", "a\tb"})
    void refusesAValueThatWouldBreakOutOfItsLine(String value) {
        world.directives(Map.of("save", value));

        assertThat(sentence())
                .isEqualTo("valkey of ValkeyConfig 'production' sets 'save' to a value with a line break or another"
                        + " control character, allowed is one line of text");
    }

    @ParameterizedTest
    @ValueSource(strings = {"hz 10\nport", "a b", "#hz", "maxmemory_policy", ""})
    void refusesADirectiveThatIsNoName(String directive) {
        world.directives(Map.of(directive, "1"));

        assertThat(sentence())
                .isEqualTo("valkey of ValkeyConfig 'production' has a directive that is no name: '"
                        + directive.replace('\n', '?') + "'");
    }

    @Test
    void refusesADirectiveThatStandsTwice() {
        world.directives(Map.of("hz", "10", "HZ", "20"));

        assertThat(sentence())
                .isEqualTo("directive 'hz' stands twice in ValkeyConfig 'production', in different cases; allowed is"
                        + " once");
    }

    @Test
    void refusesTlsRatherThanRunInPlainText() {
        world.tlsSecret = Optional.of("orders-tls");

        assertThat(sentence())
                .isEqualTo("spec.tls is set, and this version of the operator does not serve TLS yet; it will not run"
                        + " the cluster in plain text instead");
    }

    @ParameterizedTest
    @CsvSource({"0, 'spec.shards is 0, allowed is 1 to 16384'", "16385, 'spec.shards is 16385, allowed is 1 to 16384'"})
    void refusesShardsThatSlotsCannotBeDividedBy(int shards, String sentence) {
        world.shards = shards;

        assertThat(sentence()).isEqualTo(sentence);
    }

    @Test
    void refusesFewerReplicasThanNone() {
        world.replicasPerShard = -1;

        assertThat(sentence()).isEqualTo("spec.replicasPerShard is -1, allowed is 0 or more");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.b", "-a", "a-", "9lives", "Orders"})
    void refusesANameFromWhichNoOtherNameCanBeMade(String name) {
        world.name = name;

        assertThat(sentence())
                .isEqualTo("metadata.name is '" + name + "', allowed is up to 57 lower-case letters, digits and '-',"
                        + " from a letter to a letter or digit");
    }

    @Test
    void countsThePodsSuffixIntoTheNamesLength() {
        world.name = "a".repeat(57);
        assertThat(spec().key().name()).hasSize(57);

        world.name = "a".repeat(58);
        assertThat(sentence()).startsWith("metadata.name is 'aaaa");
    }

    @Test
    void refusesAnnotationsUnderTheOperatorsPrefix() {
        world.podAnnotations.put("valkey.gomomento.com/template", "x");

        assertThat(sentence())
                .isEqualTo("spec.podAnnotations has 'valkey.gomomento.com/template', allowed is any prefix but"
                        + " valkey.gomomento.com/");
    }

    @Test
    void takesTheDefaultZoneSpreadOnlyWhereNoneIsDeclared() {
        assertThat(placement(ZoneSpread.REQUIRED).zoneSpread()).isEqualTo(ZoneSpread.REQUIRED);

        world.zoneSpread = Optional.of(ZoneSpread.BEST_EFFORT);

        assertThat(placement(ZoneSpread.REQUIRED).zoneSpread()).isEqualTo(ZoneSpread.BEST_EFFORT);
    }

    @Test
    void carriesPlacementAndAnnotationsOver() {
        Toleration toleration = new Toleration(
                Optional.of("dedicated"), Optional.empty(), Optional.empty(), Optional.empty(), OptionalLong.empty());
        world.zones = List.of("a", "b");
        world.nodeSelector.put("disk", "fast");
        world.tolerations = List.of(toleration);
        world.podAnnotations.put("team", "shop");

        assertThat(spec().placement())
                .isEqualTo(new Placement(
                        List.of("a", "b"), ZoneSpread.BEST_EFFORT, Map.of("disk", "fast"), List.of(toleration)));
        assertThat(spec().podAnnotations()).isEqualTo(Map.of("team", "shop"));
    }

    @Test
    void writesEachPermissionAsRuleTokens() {
        world.role(
                        "readers",
                        new AccessRole(
                                List.of(new AccessRule("read", true), new AccessRule("Dangerous", false)),
                                List.of(new AccessRule("config|get", true))))
                .role("publishers", new AccessRole(List.of(), List.of(new AccessRule("publish", true))));
        world.acl = List.of(new UserDeclaration(
                "app",
                List.of(HASH.toUpperCase(Locale.ROOT)),
                List.of(
                        new Permission(
                                "readers",
                                List.of(
                                        new KeyPattern("cache:*", KeyAccess.READ),
                                        new KeyPattern("log:*", KeyAccess.WRITE),
                                        new KeyPattern("q", KeyAccess.READWRITE)),
                                List.of()),
                        new Permission("publishers", List.of(), List.of("news.*")))));

        assertThat(spec().acl())
                .isEqualTo(List.of(new AclUser(
                        "app",
                        List.of(HASH),
                        List.of("+@read -@dangerous +config|get %R~cache:* %W~log:* ~q", "+publish &news.*"))));
    }

    @Test
    void keepsAUserWithoutPermissions() {
        world.acl = List.of(new UserDeclaration("default", List.of(), List.of()));

        assertThat(spec().acl()).isEqualTo(List.of(new AclUser("default", List.of(), List.of())));
    }

    @Test
    void namesAMissingRole() {
        world.acl = List.of(user("app", new Permission("writers", List.of(), List.of())));

        assertThat(sentence()).isEqualTo("roleRef of user 'app' is 'writers', and there is no ValkeyRole of that name");
    }

    @Test
    void saysWhyARoleCannotBeRead() {
        world.roles.put("writers", new Unusable<>("spec.categories is text, allowed is a list"));
        world.acl = List.of(user("app", new Permission("writers", List.of(), List.of())));

        assertThat(sentence())
                .isEqualTo("ValkeyRole 'writers' can't be read: spec.categories is text, allowed is a list");
    }

    @ParameterizedTest
    @CsvSource({"'get all', command", "'get\nport', command", "'+get', command"})
    void refusesACommandThatWouldBreakOutOfItsToken(String name, String what) {
        world.role("writers", new AccessRole(List.of(), List.of(new AccessRule(name, true))));
        world.acl = List.of(user("app", new Permission("writers", List.of(), List.of())));

        assertThat(sentence())
                .isEqualTo("ValkeyRole 'writers' has " + what + " '" + name.replace('\n', '?')
                        + "', which is no name of a " + what);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a\nuser x on nopass ~* +@all", "caché:*", "a)"})
    void refusesAPatternThatWouldBreakOutOfItsToken(String pattern) {
        world.role("readers", new AccessRole(List.of(), List.of()));
        world.acl = List.of(user(
                "app", new Permission("readers", List.of(new KeyPattern(pattern, KeyAccess.READ)), List.of(pattern))));

        assertThat(sentence())
                .contains("spec.acl user 'app' has key pattern '" + pattern.replace('\n', '?') + "', allowed is")
                .contains("spec.acl user 'app' has channel pattern")
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"_operator", "_replication"})
    void refusesTheOperatorsOwnUsers(String username) {
        world.acl = List.of(user(username));

        assertThat(sentence())
                .isEqualTo("spec.acl names user '" + username + "', which the operator keeps for itself; allowed is any"
                        + " other");
    }

    @Test
    void refusesAUserTwice() {
        world.acl = List.of(user("app"), user("app"));

        assertThat(sentence()).isEqualTo("spec.acl names user 'app' twice, allowed is once");
    }

    @Test
    void refusesAUsernameThatWouldBreakOutOfItsToken() {
        world.acl = List.of(user("app on"));

        assertThat(sentence()).isEqualTo("spec.acl has a username with a character other than visible ASCII: 'app on'");
    }

    @Test
    void showsNoHashThatItRefuses() {
        world.acl = List.of(new UserDeclaration("app", List.of("swordfish"), List.of()));

        assertThat(sentence())
                .isEqualTo("spec.acl user 'app' has a password hash of another form; allowed is a SHA-256 as 64 hex"
                        + " digits");
    }

    @Test
    void tellsAllProblemsAtOnceButNotEndlessly() {
        world.shards = 0;
        world.replicasPerShard = -1;
        world.tlsSecret = Optional.of("t");
        world.configRef = "gone";
        world.acl = List.of(user("a", new Permission("r1", List.of(), List.of())), user("b c"), user("d e"));

        assertThat(sentence())
                .startsWith("spec.tls is set")
                .contains("; spec.shards is 0", "; spec.replicasPerShard is -1", "; spec.configRef is 'gone'")
                .endsWith("; and 2 more");
    }

    private static UserDeclaration user(String name, Permission... permissions) {
        return new UserDeclaration(name, List.of(HASH), List.of(permissions));
    }

    private Placement placement(ZoneSpread defaultZoneSpread) {
        return resolved(world.resolve(defaultZoneSpread)).placement();
    }

    private ClusterSpec spec() {
        return resolved(world.resolve());
    }

    private String sentence() {
        return switch (world.resolve()) {
            case Resolution.Resolved(ClusterSpec spec) -> throw new AssertionError("was resolved: " + spec);
            case Resolution.Unusable(String sentence) -> sentence;
        };
    }

    private static ClusterSpec resolved(Resolution resolution) {
        return switch (resolution) {
            case Resolution.Resolved(ClusterSpec spec) -> spec;
            case Resolution.Unusable(String sentence) -> throw new AssertionError(sentence);
        };
    }
}
