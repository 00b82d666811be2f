// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * One promise broken once.
 *
 * @param property which
 * @param what how, in a few words
 * @param at when
 * @param nanos how long the overlap, how late the news and so on; 0 where there is no such length
 * @param claims whom it concerns, one or two, the earlier first
 */
public record Violation(Property property, String what, long at, long nanos, List<Claim> claims) {

    /** The lock. */
    public String lock() {
        return claims.get(0).lock();
    }

    /** One line for people, with times in milliseconds since an instant of {@link System#nanoTime}. */
    public String text(long epoch) {
        return lock() + ": " + what + " at " + millis(at - epoch) + (nanos == 0 ? "" : ", " + millis(nanos)) + ": "
                + claims.stream().map(claim -> claim.text(epoch)).collect(Collectors.joining("; "));
    }

    static String millis(long nanos) {
        return String.format(Locale.ROOT, "%,.3f ms", nanos / 1e6);
    }
}
