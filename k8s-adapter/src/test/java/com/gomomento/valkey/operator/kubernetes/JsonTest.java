package com.gomomento.valkey.operator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.gomomento.valkey.operator.core.model.Lifecycle;
import com.gomomento.valkey.operator.core.observe.NodeRecord;
import com.gomomento.valkey.operator.kubernetes.resource.ResourceEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonTest {

    /** A merge patch takes a field away by an explicit null, so a value that there is none of has to reach the wire. */
    @Test
    void writesWhatIsToBeRemoved() {
        NodeRecord.Status fresh = new NodeRecord.Status(
                Lifecycle.JOINING, Optional.empty(), Optional.of("uid-1"), Optional.of("10.0.0.1"), Optional.empty());

        assertThat(text(Map.of("status", ResourceEncoder.nodeStatus(fresh))))
                .isEqualTo("{\"status\":{\"lifecycle\":\"Joining\",\"nodeId\":null,\"podIP\":\"10.0.0.1\","
                        + "\"podUID\":\"uid-1\",\"role\":null}}");
    }

    private static String text(Object value) {
        return new String(Json.write(value), StandardCharsets.UTF_8);
    }
}
