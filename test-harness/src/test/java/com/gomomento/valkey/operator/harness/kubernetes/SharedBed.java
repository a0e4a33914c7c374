package com.gomomento.valkey.operator.harness.kubernetes;

import com.gomomento.valkey.operator.kubernetes.Fabric8KubernetesPort;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** For tests that share one namespace and one port, each with clusters of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SharedBed {

    TestBed bed;
    Fabric8KubernetesPort port;

    @BeforeAll
    void open() throws Exception {
        bed = TestBed.open();
        port = bed.port();
    }

    @AfterAll
    void close() {
        bed.close();
    }
}
