package com.gomomento.valkey.operator.harness.valkey;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The releases of valkey-server that tests run against, each from the root folder of its image. */
public enum Release {
    /** 8.1, without atomic slot migration. */
    V8_1("VALKEY_8_1_ROOT"),
    /** 9.1, with it. */
    V9_1("VALKEY_9_1_ROOT");

    private final String variable;

    Release(String variable) {
        this.variable = variable;
    }

    /**
     * The command that runs this release's server with the libraries that came with it.
     *
     * @throws IllegalStateException when the environment does not name a root folder with a server in it
     */
    List<String> server() {
        String root = System.getenv(variable);
        if (root == null || root.isBlank()) {
            throw new IllegalStateException(variable
                    + " is not set; it names the root folder of the server's image, and" + " './dev test it' sets it");
        }
        Path libraries = Path.of(root, "usr/lib/x86_64-linux-gnu");
        Path server = Path.of(root, "usr/bin/valkey-server");
        if (!Files.isExecutable(server)) {
            throw new IllegalStateException(variable + " is " + root + ", which holds no usr/bin/valkey-server");
        }
        return List.of(
                libraries.resolve("ld-linux-x86-64.so.2").toString(),
                "--library-path",
                libraries.toString(),
                "--argv0",
                "valkey-server",
                server.toString());
    }
}
