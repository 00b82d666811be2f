// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The page of the documentation that shows a run: written by hand, but for what stands between two marks. */
final class Document {
    private static final String BEGIN = "<!-- written by ./holdfast bench: begin -->";
    private static final String END = "<!-- written by ./holdfast bench: end -->";

    private Document() {}

    /** Replaces what stands between the marks; a page that has none gets them. */
    static void update(Path page, String figures) throws IOException {
        String old = Files.exists(page) ? Files.readString(page) : "# Benchmarks\n\n" + BEGIN + "\n" + END + "\n";
        int begin = old.indexOf(BEGIN);
        int end = old.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalStateException(
                    page + " has no lines \"" + BEGIN + "\" and \"" + END + "\" to write between");
        }
        Files.writeString(
                page, old.substring(0, begin) + BEGIN + "\n\n" + figures.strip() + "\n\n" + old.substring(end));
    }
}
