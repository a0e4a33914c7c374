package com.gomomento.valkey.operator.harness.scenario;

/** The world is not as the scenario says that it must be. */
public final class ScenarioFailure extends AssertionError {

    private static final long serialVersionUID = 1;

    /** With a sentence that names what was expected and what was seen. */
    public ScenarioFailure(String message) {
        super(message);
    }

    /** As {@link #ScenarioFailure(String)}, with what caused it. */
    public ScenarioFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
