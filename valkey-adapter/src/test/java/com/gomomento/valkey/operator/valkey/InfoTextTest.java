package com.gomomento.valkey.operator.valkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InfoTextTest {

    private static InfoText parse(String text) throws MalformedReply {
        return InfoText.parse("INFO", text);
    }

    @Test
    void readsSections() throws MalformedReply {
        String text = """
                # Server
                valkey_version:9.1.2
                listener0:name=tcp,bind=::1,port=6379

                # Replication
                empty:
                slave_repl_offset:-1
                used_cpu_user:1.50
                """;
        InfoText info = parse(text.replace("\n", "\r\n"));
        assertThat(info.text("valkey_version")).isEqualTo("9.1.2");
        assertThat(info.find("listener0")).hasValue("name=tcp,bind=::1,port=6379");
        assertThat(info.find("absent")).isEmpty();
        assertThat(info.count("slave_repl_offset")).isZero();
        assertThat(info.decimal("used_cpu_user")).isEqualTo(1.5);
        assertThatThrownBy(() -> info.text("empty")).hasMessageContaining("empty");
        assertThatThrownBy(() -> info.count("absent")).hasMessageContaining("absent");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a:1", "a:1\r\nrubbish\r\n", ":1\r\n", "a:1\r\na:2\r\n"})
    void refusesWhatNoServerPrints(String text) {
        assertThatThrownBy(() -> parse(text)).isInstanceOf(MalformedReply.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-2", "1.5", "x", "99999999999999999999"})
    void refusesWhatIsNoCount(String value) throws MalformedReply {
        InfoText info = parse("n:" + value + "\r\n");
        assertThatThrownBy(() -> info.count("n"))
                .isInstanceOf(MalformedReply.class)
                .hasMessageContaining(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-2", "NaN", "Infinity", "x"})
    void refusesWhatIsNoDecimal(String value) throws MalformedReply {
        InfoText info = parse("n:" + value + "\r\n");
        assertThatThrownBy(() -> info.decimal("n")).isInstanceOf(MalformedReply.class);
    }
}
