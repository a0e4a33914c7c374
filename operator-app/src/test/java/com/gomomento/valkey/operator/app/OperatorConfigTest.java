package com.gomomento.valkey.operator.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.gomomento.valkey.operator.core.model.ZoneSpread;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperatorConfigTest {

    @Test
    void nothingSaidMeansBestEffort() {
        assertThat(OperatorConfig.parse(Map.of()).defaultZoneSpread()).isEqualTo(ZoneSpread.BEST_EFFORT);
        assertThat(OperatorConfig.parse(Map.of("ofAnotherVersion", "x")).defaultZoneSpread())
                .isEqualTo(ZoneSpread.BEST_EFFORT);
    }

    @Test
    void requiredIsTaken() {
        assertThat(OperatorConfig.parse(Map.of("defaultZoneSpread", "required")).defaultZoneSpread())
                .isEqualTo(ZoneSpread.REQUIRED);
    }

    @Test
    void anythingElseIsRefusedWithKeyValueAndWhatIsAllowed() {
        assertThatThrownBy(() -> OperatorConfig.parse(Map.of("defaultZoneSpread", "sideways")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("defaultZoneSpread", "'sideways'", "bestEffort or required");
    }
}
