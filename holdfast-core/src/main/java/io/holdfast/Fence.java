// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

/**
 * How fencing tokens are formed. Redis issues one base per grant, {@code max(last + 1, server time in µs)}, so tokens keep
 * rising after the counter was lost; Java appends the turn within the grant. Fits a long until the year 2255.
 */
final class Fence {
    private static final int TURN_BITS = 10;
    /** After this one a new base is needed. */
    static final int LAST_TURN = (1 << TURN_BITS) - 1;

    private Fence() {}

    static long token(long base, int turn) {
        return base << TURN_BITS | turn;
    }

    static long base(long token) {
        return token >> TURN_BITS;
    }
}
