package com.gomomento.valkey.operator.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.SecretText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerWordsTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            An error was signalled by the server: - ResponseError: Unknown node abc | ERR Unknown node abc
            An error was signalled by the server: - PermissionDenied: User x has no permissions | NOPERM User x has no permissions
            An error was signalled by the server: - BusyLoadingError: is loading | LOADING is loading
            An error was signalled by the server: - Moved: 5 10.0.0.1:6379 | MOVED 5 10.0.0.1:6379
            An error was signalled by the server: - WRONGTYPE: Operation against a key | WRONGTYPE Operation against a key
            Connection refused (os error 111) | Connection refused (os error 111)
            Slot 5 - is already busy | Slot 5 - is already busy
            """)
    void bringsBackTheServersForm(String glide, String server) {
        assertThat(ServerWords.restore(glide)).isEqualTo(server);
    }

    @Test
    void showsNoSecret() {
        assertThat(ServerWords.redact(
                        "ERR unknown command, with args beginning with: 's3cret'", SecretText.of("s3cret")))
                .isEqualTo("ERR unknown command, with args beginning with: '[redacted]'");
    }
}
