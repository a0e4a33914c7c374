package com.gomomento.valkey.operator.kubernetes;

/** No connection to an API server can even be tried, because of how this process is set up. */
public final class KubernetesUnavailableException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Takes a sentence for whoever started the process. */
    public KubernetesUnavailableException(String message) {
        super(message);
    }

    /** As above, with what the client said. */
    public KubernetesUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
