package com.gomomento.valkey.operator.logging;

import com.gomomento.valkey.operator.logging.RustPatternCursor.Item;
import java.util.Map;
import java.util.Optional;

/** A class in brackets: ranges, nested classes, POSIX names, and the operations {@code &&}, {@code --}, {@code ~~}. */
final class RustPatternClass {

    private static final String UNCLOSED = "unclosed character class";
    private static final Map<String, String> POSIX = Map.ofEntries(
            Map.entry("alnum", "\\p{Alnum}"),
            Map.entry("alpha", "\\p{Alpha}"),
            Map.entry("ascii", "\\p{ASCII}"),
            Map.entry("blank", "\\p{Blank}"),
            Map.entry("cntrl", "\\p{Cntrl}"),
            Map.entry("digit", "\\p{Digit}"),
            Map.entry("graph", "\\p{Graph}"),
            Map.entry("lower", "\\p{Lower}"),
            Map.entry("print", "\\p{Print}"),
            Map.entry("punct", "\\p{Punct}"),
            Map.entry("space", "\\p{Space}"),
            Map.entry("upper", "\\p{Upper}"),
            Map.entry("word", "\\w"),
            Map.entry("xdigit", "\\p{XDigit}"));

    private enum Operation {
        UNION,
        INTERSECTION,
        DIFFERENCE,
        SYMMETRIC_DIFFERENCE
    }

    private final RustPatternCursor in;
    private final StringBuilder union = new StringBuilder();
    private String left = "";
    private Operation pending = Operation.UNION;

    private RustPatternClass(RustPatternCursor in) {
        this.in = in;
    }

    /** Reads the rest of a class whose opening bracket is already read, and writes it as a class of the JDK. */
    static String read(RustPatternCursor in) {
        return new RustPatternClass(in).read();
    }

    private String read() {
        boolean negated = in.skip("^");
        while (in.skip("-")) {
            union.append(new Item.Literal('-').text());
        }
        if (union.isEmpty() && in.skip("]")) {
            union.append(new Item.Literal(']').text());
        }
        while (!in.skip("]")) {
            if (!in.more()) {
                throw in.error(UNCLOSED);
            }
            if (in.skip("&&")) {
                operation(Operation.INTERSECTION);
            } else if (in.skip("--")) {
                operation(Operation.DIFFERENCE);
            } else if (in.skip("~~")) {
                operation(Operation.SYMMETRIC_DIFFERENCE);
            } else if (in.skip("[")) {
                union.append(posix().orElseGet(() -> read(in)));
            } else {
                range();
            }
        }
        operation(Operation.UNION);
        return negated ? not(left) : left;
    }

    /** Applies the operation that was waiting for its right-hand side, which is now complete. */
    private void operation(Operation next) {
        String right = union.isEmpty() ? not("[\\x{0}-\\x{10ffff}]") : "[" + union + "]";
        left = switch (pending) {
            case UNION -> right;
            case INTERSECTION -> both(left, right);
            case DIFFERENCE -> both(left, not(right));
            case SYMMETRIC_DIFFERENCE -> "[" + both(left, not(right)) + both(right, not(left)) + "]";
        };
        union.setLength(0);
        pending = next;
    }

    private static String both(String a, String b) {
        return "[" + a + "&&" + b + "]";
    }

    private static String not(String set) {
        return "[^" + set + "]";
    }

    private Optional<String> posix() {
        if (!in.startsWith(":")) {
            return Optional.empty();
        }
        for (Map.Entry<String, String> named : POSIX.entrySet()) {
            if (in.skip(":" + named.getKey() + ":]")) {
                return Optional.of("[" + named.getValue() + "]");
            }
            if (in.skip(":^" + named.getKey() + ":]")) {
                return Optional.of("[^" + named.getValue() + "]");
            }
        }
        return Optional.empty();
    }

    private void range() {
        Item first = item();
        if (!in.startsWith("-") || in.startsWith("-]") || in.startsWith("--")) {
            union.append(first.text());
            return;
        }
        in.skip("-");
        if (!in.more()) {
            throw in.error(UNCLOSED);
        }
        if (!(first instanceof Item.Literal(int low)) || !(item() instanceof Item.Literal(int high))) {
            throw in.error("invalid range boundary, must be a literal");
        }
        if (low > high) {
            throw in.error("invalid character class range");
        }
        union.append(first.text()).append('-').append(new Item.Literal(high).text());
    }

    private Item item() {
        return in.skip("\\") ? in.escape() : new Item.Literal(in.next());
    }
}
