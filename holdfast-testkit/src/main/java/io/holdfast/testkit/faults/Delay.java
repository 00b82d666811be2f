// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long a slow network takes for one way: always so much, and up to so much more by chance. Order is kept, as TCP keeps it.
 *
 * @param fixed what each message takes
 * @param jitter the most that is added by chance; zero for none
 * @param chance where chance comes from; seed it to have the same run again. Used under a lock
 */
public record Delay(Duration fixed, Duration jitter, RandomGenerator chance) {
    /** No delay. */
    public static final Delay NONE = of(Duration.ZERO);

    /** Checks that neither part is negative. */
    public Delay {
        if (fixed.isNegative() || jitter.isNegative()) {
            throw new IllegalArgumentException("a delay must not be negative: " + fixed + ", " + jitter);
        }
    }

    /** The same for each message. */
    public static Delay of(Duration fixed) {
        return new Delay(fixed, Duration.ZERO, () -> 0);
    }

    long nextNanos() {
        if (jitter.isZero()) {
            return fixed.toNanos();
        }
        synchronized (chance) {
            return fixed.toNanos() + chance.nextLong(jitter.toNanos() + 1);
        }
    }
}
