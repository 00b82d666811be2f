// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import java.util.Locale;

/** Numbers and foreign text as a person wants them on a terminal. */
public final class Format {
    private Format() {}

    /** Nanoseconds as milliseconds, with a digit behind the point while that says something. */
    public static String millis(long nanos) {
        return nanos < 100_000_000
                ? String.format(Locale.ROOT, "%.1f", nanos / 1e6)
                : String.format(Locale.ROOT, "%,d", Math.round(nanos / 1e6));
    }

    /** "1,234". */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** "1 overlap", "2 overlaps". */
    public static String count(long number, String noun) {
        return count(number) + " " + noun + (number == 1 ? "" : "s");
    }

    /** Hides the login of every address in a text. */
    static String withoutPassword(String text) {
        return text.replaceAll("://[^\\s']*@", "://***@");
    }

    /** Text that somebody else put into Redis: nothing in it may reach the terminal as a command. */
    static String printable(String text) {
        return text.replaceAll("[\\p{Cntrl}\\p{Cf}\u0080-\u009f]", "?");
    }
}
