package com.gomomento.valkey.operator.valkey;

import com.gomomento.valkey.operator.core.model.SecretText;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Brings an error back to the words that the server used. GLIDE names error codes its own way ({@code ResponseError} for
 * {@code ERR}), puts a sentence before them and a colon after; people search for the server's form.
 */
final class ServerWords {

    private static final Pattern GLIDE_FORM = Pattern.compile("(?s)^.*? - ([A-Za-z]+): (.*)$");

    private static final Map<String, String> CODES = Map.ofEntries(
            Map.entry("ResponseError", "ERR"),
            Map.entry("PermissionDenied", "NOPERM"),
            Map.entry("BusyLoadingError", "LOADING"),
            Map.entry("ClusterDown", "CLUSTERDOWN"),
            Map.entry("MasterDown", "MASTERDOWN"),
            Map.entry("CrossSlot", "CROSSSLOT"),
            Map.entry("ReadOnly", "READONLY"),
            Map.entry("TryAgain", "TRYAGAIN"),
            Map.entry("Moved", "MOVED"),
            Map.entry("Ask", "ASK"),
            Map.entry("ExecAbortError", "EXECABORT"),
            Map.entry("NoScriptError", "NOSCRIPT"),
            Map.entry("NotBusy", "NOTBUSY"));

    private ServerWords() {}

    /** What the server said, when {@code message} has GLIDE's form for that; otherwise {@code message} itself. */
    static String restore(String message) {
        Matcher form = GLIDE_FORM.matcher(message);
        if (!form.matches()) {
            return message.strip();
        }
        String code = form.group(1);
        return (CODES.getOrDefault(code, code) + " " + form.group(2)).strip();
    }

    /** {@code text} without {@code secret}, for the case that a server echoes what it was sent. */
    static String redact(String text, SecretText secret) {
        return text.replace(secret.reveal(), "[redacted]");
    }
}
