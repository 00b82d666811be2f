// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import java.util.Locale;

/**
 * What one check of the doctor came to.
 *
 * @param level how bad it is
 * @param check a word for the check
 * @param text what was found, and why it matters for locks
 * @param remedy what to do, e.g. the {@code CONFIG} or {@code ACL} line; empty if there is nothing to do
 */
record Finding(Level level, String check, String text, String remedy) {

    enum Level {
        OK("ok"),
        WARN("warn"),
        FAIL("FAIL");

        private final String word;

        Level(String word) {
            this.word = word;
        }
    }

    static Finding ok(String check, String text) {
        return new Finding(Level.OK, check, text, "");
    }

    static Finding warn(String check, String text, String remedy) {
        return new Finding(Level.WARN, check, text, remedy);
    }

    static Finding fail(String check, String text, String remedy) {
        return new Finding(Level.FAIL, check, text, remedy);
    }

    /** One line; parts of it are the server's own words. */
    String line() {
        String line = String.format(Locale.ROOT, "%-4s  %-11s  %s", level.word, check, text);
        return Format.printable(remedy.isEmpty() ? line : line + " -> " + remedy);
    }
}
