package com.gomomento.valkey.operator.core.declare;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AmountsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "128974848, 128974848",
        "129e6, 129000000",
        "129E6, 129000000",
        "129M, 129000000",
        "123Mi, 128974848",
        "1.5Gi, 1610612736",
        ".5Ki, 512",
        "1., 1",
        "+1k, 1000",
        "-1, -1",
        "1500m, 2",
        "1n, 1",
        "1u, 1",
        "1T, 1000000000000",
        "1P, 1000000000000000",
        "1E, 1000000000000000000",
        "7Ei, 8070450532247928832",
        "1Pi, 1125899906842624",
        "1Ti, 1099511627776",
    })
    void readsWhatKubernetesWritesAsBytes(String text, long bytes) {
        assertThat(Quantity.parseBytes(text)).contains(bytes);
    }

    @ParameterizedTest
    @CsvSource({"500m, 0.5", "2, 2", "0.1, 0.1", "1e-1, 0.1"})
    void readsCpuExactly(String text, BigDecimal amount) {
        assertThat(Quantity.parse(text).orElseThrow()).isEqualByComparingTo(amount);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " ", "1 Gi", "Gi", "1gi", "1GB", "1K", "1ki", "1e", "1e1234", "--1", "1.2.3", "0x10", "NaN", "١"
            })
    void refusesOtherQuantities(String text) {
        assertThat(Quantity.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8Ei", "9999999999999E", "1e99"})
    void refusesMoreBytesThanALongHolds(String text) {
        assertThat(Quantity.parseBytes(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "100, 100",
        "100b, 100",
        "1k, 1000",
        "1kb, 1024",
        "1m, 1000000",
        "1Mb, 1048576",
        "1g, 1000000000",
        "1GB, 1073741824",
        "8589934591gb, 9223372035781033984",
    })
    void readsWhatValkeyWrites(String text, long bytes) {
        assertThat(MemorySize.parseBytes(text)).contains(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-1", "1.5gb", "1 gb", "gb", "1Gi", "1tb", "75%", "8589934592gb", "99999999999999999999"})
    void refusesOtherMemorySizes(String text) {
        assertThat(MemorySize.parseBytes(text)).isEmpty();
    }
}
