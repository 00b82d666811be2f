// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

/** Lines of Java, indented by the braces around them. */
final class SourceText {
    private static final String INDENT = "    ";

    private final StringBuilder text = new StringBuilder();
    private int depth;

    /** One line, or several that are indented already against the first. */
    SourceText line(String line) {
        line.lines()
                .forEach(each -> text.append(each.isEmpty() ? "" : INDENT.repeat(depth))
                        .append(each)
                        .append('\n'));
        return this;
    }

    SourceText blank() {
        text.append('\n');
        return this;
    }

    /** A line that ends with a brace; what follows is inside. */
    SourceText open(String line) {
        line(line + " {");
        depth++;
        return this;
    }

    SourceText close() {
        depth--;
        return line("}");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
