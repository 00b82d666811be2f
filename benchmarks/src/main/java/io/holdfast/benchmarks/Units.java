// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.benchmarks.Statistics.Spread;
import java.util.Locale;

/** How figures are written: with as many digits as they are worth. */
final class Units {
    private static final String NONE = "–";

    private Units() {}

    /** A time, three digits or so. */
    static String time(long count) {
        double nanos = (double) count;
        if (nanos < 1e3) {
            return number(nanos) + " ns";
        }
        return nanos < 1e6
                ? number(nanos / 1e3) + " µs"
                : nanos < 1e9 ? number(nanos / 1e6) + " ms" : number(nanos / 1e9) + " s";
    }

    static String number(double value) {
        if (!Double.isFinite(value)) {
            return NONE;
        }
        double size = Math.abs(value);
        String format =
                size >= 100 || value == Math.rint(value) ? "%,.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }

    /** The median, then how far the rounds go. */
    static String spread(Spread spread) {
        String median = number(spread.median());
        return spread.min() == spread.max()
                ? median
                : median + " (" + number(spread.min()) + "–" + number(spread.max()) + ")";
    }
}
