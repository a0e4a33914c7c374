package com.gomomento.valkey.operator.core.model;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Version of the valkey-server inside an image, as {@code ValkeyImage.spec.version} declares it. */
public record ServerVersion(int major, int minor, int patch) implements Comparable<ServerVersion> {

    private static final Pattern FORM = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4})(?:[-+].*)?");
    private static final Comparator<ServerVersion> ORDER = Comparator.comparingInt(ServerVersion::major)
            .thenComparingInt(ServerVersion::minor)
            .thenComparingInt(ServerVersion::patch);

    /**
     * Reads {@code major.minor.patch}; a pre-release or build suffix is accepted and dropped.
     *
     * @throws IllegalArgumentException when the text has another form
     */
    public static ServerVersion parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no version; allowed is major.minor.patch");
        }
        return new ServerVersion(
                Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)), Integer.parseInt(parts.group(3)));
    }

    @Override
    public int compareTo(ServerVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
