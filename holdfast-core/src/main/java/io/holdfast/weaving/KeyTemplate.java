// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A text with placeholders, {@code order:{orderId}} or {@code order:{order.id}}. Immutable. */
public final class KeyTemplate {
    private static final int LONGEST_BYTES = 512; // of a key and of an owner's id

    private final String text;
    private final List<String> literals = new ArrayList<>(); // before each placeholder, and after the last
    private final List<List<String>> placeholders = new ArrayList<>();

    private KeyTemplate(String text) {
        this.text = text;
        int at = 0;
        for (int open = text.indexOf('{'); open >= 0; open = text.indexOf('{', at)) {
            int close = text.indexOf('}', open);
            if (close < 0) {
                throw new IllegalArgumentException("\"" + text + "\" has a { without its }");
            }
            literals.add(literal(at, open));
            placeholders.add(path(text.substring(open + 1, close)));
            at = close + 1;
        }
        literals.add(literal(at, text.length()));
    }

    /**
     * Reads a template.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    public static KeyTemplate parse(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("it is blank; name what it protects, e.g. order:{orderId}");
        }
        checkCharacters(text);
        KeyTemplate template = new KeyTemplate(text);
        template.checkLength();
        return template;
    }

    /** Each placeholder: the parameter's name, then the properties that lead to the value. */
    public List<List<String>> placeholders() {
        return List.copyOf(placeholders);
    }

    /**
     * The text with values for the placeholders.
     *
     * @param values has them from {@code from} on
     * @throws IllegalArgumentException when one is null or blank; it names the placeholder
     */
    String render(@Nullable Object[] values, int from) {
        if (placeholders.isEmpty()) {
            return text;
        }
        StringBuilder rendered = new StringBuilder(text.length() + 16);
        for (int i = 0; i < placeholders.size(); i++) {
            rendered.append(literals.get(i)).append(value(i, values[from + i]));
        }
        return rendered.append(literals.get(placeholders.size())).toString();
    }

    private String value(int placeholder, @Nullable Object value) {
        String shown = value == null ? null : value.toString();
        if (shown == null || shown.isBlank()) {
            throw new IllegalArgumentException(String.join(".", placeholders.get(placeholder)) + " is "
                    + (shown == null ? "null" : "blank") + " in \"" + text
                    + "\": a lock without its id would be shared by all callers");
        }
        return shown;
    }

    /** What no value can mend; the length of a key with its values is seen when it is used. */
    private static void checkCharacters(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                throw new IllegalArgumentException(
                        "it has a control character (code " + (int) text.charAt(i) + ") at index " + i);
            }
        }
    }

    private void checkLength() {
        int bytes = 0;
        for (String literal : literals) {
            bytes += literal.getBytes(StandardCharsets.UTF_8).length;
        }
        if (bytes + placeholders.size() > LONGEST_BYTES) {
            throw new IllegalArgumentException("it must be at most " + LONGEST_BYTES + " bytes of UTF-8, was " + bytes
                    + " without its placeholders");
        }
    }

    private String literal(int from, int to) {
        String literal = text.substring(from, to);
        if (literal.indexOf('}') >= 0) {
            throw new IllegalArgumentException("\"" + text + "\" has a } without its {");
        }
        return literal;
    }

    private List<String> path(String inside) {
        List<String> path = List.of(inside.split("\\.", -1));
        for (String name : path) {
            if (!isIdentifier(name)) {
                throw new IllegalArgumentException("{" + inside + "} in \"" + text
                        + "\" is neither a parameter nor a property of one, such as {orderId} or {order.id}");
            }
        }
        return path;
    }

    private static boolean isIdentifier(String name) {
        return !name.isEmpty()
                && Character.isJavaIdentifierStart(name.charAt(0))
                && name.chars().allMatch(Character::isJavaIdentifierPart);
    }

    @Override
    public String toString() {
        return text;
    }
}
