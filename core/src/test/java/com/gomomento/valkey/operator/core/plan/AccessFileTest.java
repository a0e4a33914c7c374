package com.gomomento.valkey.operator.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.gomomento.valkey.operator.core.model.AclUser;
import com.gomomento.valkey.operator.core.model.SecretText;
import com.gomomento.valkey.operator.core.observe.AclFile;
import com.gomomento.valkey.operator.core.observe.Credentials;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** That the files say what was meant to a server. That real servers read them so is shown by AccessFileIT. */
class AccessFileTest {

    private static final Credentials CREDENTIALS =
            new Credentials(SecretText.of("operator-pw"), SecretText.of("replication \"pw\\"));
    private static final String HASH_A = "a".repeat(64);
    private static final String HASH_B = "b".repeat(64);

    private static List<String> lines(AclUser... users) {
        return AccessFile.render(List.of(users), CREDENTIALS).users().lines().toList();
    }

    @Test
    void opensTheDefaultUserWithoutAnAcl() {
        assertThat(lines()).hasSize(3).contains("user default on nopass ~* &* +@all");
    }

    @Test
    void closesTheDefaultUserWithAnAcl() {
        assertThat(lines(new AclUser("app", List.of(HASH_A), List.of("+@read ~cache:*"))))
                .contains("user default off")
                .contains("user app on #" + HASH_A + " resetkeys resetchannels -@all (+@read ~cache:*)");
    }

    @Test
    void leavesTheDefaultUserToTheAclThatListsIt() {
        assertThat(lines(new AclUser("default", List.of(HASH_A), List.of("+ping"))))
                .filteredOn(line -> line.startsWith("user default"))
                .containsExactly("user default on #" + HASH_A + " resetkeys resetchannels -@all (+ping)");
    }

    @Test
    void keepsPermissionsApart() {
        assertThat(lines(new AclUser("app", List.of(), List.of("+@read ~a:*", "+@write ~b:*", " "))))
                .contains("user app on resetkeys resetchannels -@all (+@read ~a:*) (+@write ~b:*)");
    }

    @Test
    void isTheSameWhateverTheOrder() {
        AclUser one = new AclUser("one", List.of(HASH_A, HASH_B), List.of("+get ~*"));
        AclUser oneAgain = new AclUser("one", List.of(HASH_B, HASH_A.toUpperCase(Locale.ROOT)), List.of("+get ~*"));
        AclUser two = new AclUser("two", List.of(HASH_B), List.of());
        AclFile file = AccessFile.render(List.of(one, two), CREDENTIALS);
        assertThat(AccessFile.render(List.of(two, oneAgain), CREDENTIALS)).isEqualTo(file);
        assertThat(file.users()).endsWith("\n");
    }

    @Test
    void holdsInternalPasswordsAsHashesOnly() {
        AclFile file = AccessFile.render(List.of(), CREDENTIALS);
        assertThat(file.users())
                .contains("user _operator on #" + CREDENTIALS.operator().sha256Hex() + " ")
                .contains("user _replication on #" + CREDENTIALS.replication().sha256Hex() + " ")
                .doesNotContain("operator-pw")
                .doesNotContain("replication \"pw");
        assertThat(file.toString()).doesNotContain("#");
    }

    @Test
    void quotesThePasswordThatReplicasUse() {
        assertThat(AccessFile.render(List.of(), CREDENTIALS).replication())
                .isEqualTo("primaryuser _replication\nprimaryauth \"replication \\\"pw\\\\\"\n");
    }

    @Test
    void namesNoSubcommandThatAnOlderServerLacks() {
        assertThat(AccessFile.render(List.of(), CREDENTIALS).users())
                .doesNotContain("syncslots")
                .doesNotContain("migrateslots")
                .doesNotContain("slotmigrations");
    }

    @Test
    void refusesWhatWouldBreakOutOfItsLine() {
        assertThat(AccessFile.refusal(new AclUser("a b", List.of(), List.of()))).isPresent();
        assertThat(AccessFile.refusal(new AclUser("a\nuser b", List.of(), List.of())))
                .isPresent();
        assertThat(AccessFile.refusal(new AclUser("_operator", List.of(), List.of())))
                .hasValue("username _operator is reserved for the operator");
        assertThat(AccessFile.refusal(new AclUser("a", List.of("nopass"), List.of())))
                .hasValueSatisfying(sentence -> assertThat(sentence).doesNotContain("nopass"));
        assertThat(AccessFile.refusal(new AclUser("a", List.of(), List.of("+get ~x\nuser default on nopass +@all"))))
                .isPresent();
        assertThat(AccessFile.refusal(new AclUser("a", List.of(), List.of("~x) +@all"))))
                .hasValueSatisfying(sentence -> assertThat(sentence).contains("'~x)'"));
        assertThat(AccessFile.refusal(new AclUser("a", List.of(HASH_A), List.of("+get ~(x)y"))))
                .isEmpty();
    }

    @Test
    void rendersNoUserThatItRefuses() {
        AclUser bad = new AclUser("a", List.of(), List.of("~x) +@all"));
        assertThatThrownBy(() -> AccessFile.render(List.of(bad), CREDENTIALS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("user a");
        AclUser twice = new AclUser("a", List.of(), List.of());
        assertThatThrownBy(() -> AccessFile.render(List.of(twice, twice), CREDENTIALS))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
