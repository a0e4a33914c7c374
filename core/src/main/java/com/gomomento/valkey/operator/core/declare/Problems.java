package com.gomomento.valkey.operator.core.declare;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with an input, so that its user is told everything at once. */
final class Problems {

    /** More than this helps nobody who reads a status. */
    private static final int SHOWN = 5;

    private final List<String> sentences = new ArrayList<>();

    void add(String sentence) {
        if (!sentences.contains(sentence)) {
            sentences.add(sentence);
        }
    }

    boolean isEmpty() {
        return sentences.isEmpty();
    }

    /** All sentences in the order in which they were found, the surplus as a number. */
    String sentence() {
        String shown = String.join("; ", sentences.subList(0, Math.min(SHOWN, sentences.size())));
        return sentences.size() > SHOWN ? shown + "; and " + (sentences.size() - SHOWN) + " more" : shown;
    }
}
