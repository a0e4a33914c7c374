package com.gomomento.valkey.operator.valkey;

/** A server's answer could not be understood. Nothing of it may be used: half a table is worse than none. */
final class MalformedReply extends Exception {

    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 120;

    /**
     * Says what is wrong.
     *
     * @param sentence what was expected
     * @param text what stood there; shown in part
     */
    MalformedReply(String sentence, String text) {
        super(sentence + ": '" + printable(text) + "'");
    }

    private static String printable(String text) {
        String part = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
        return part.replaceAll("\\p{Cntrl}", "?");
    }

    /** For people. */
    String sentence() {
        return String.valueOf(getMessage());
    }
}
