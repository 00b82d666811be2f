// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;

/**
 * How long and how often one acquire tries.
 *
 * @param waitNanos how long; {@link Long#MAX_VALUE} for ever
 * @param maxAttempts how often; {@link Integer#MAX_VALUE} for no limit
 */
record Patience(long waitNanos, int maxAttempts) {

    /** 146 years stand for ever: instants further apart than that can't be told apart by subtraction. */
    Patience {
        waitNanos = waitNanos > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : waitNanos;
    }

    /** As the options say; one try when they set no limit. */
    static Patience of(LockOptions options) {
        int attempts = options.maxAttempts();
        if (options.maxWait().isEmpty() && attempts == 0) {
            return once();
        }
        return new Patience(
                options.maxWait().map(Limits::nanos).orElse(Long.MAX_VALUE),
                attempts == 0 ? Integer.MAX_VALUE : attempts);
    }

    static Patience once() {
        return new Patience(0, 1);
    }

    static Patience upTo(Duration wait) {
        return new Patience(Limits.nanos(Limits.notNegative("wait", wait)), Integer.MAX_VALUE);
    }

    static Patience endless() {
        return new Patience(Long.MAX_VALUE, Integer.MAX_VALUE);
    }

    Patience atMost(Duration limit) {
        return new Patience(Math.min(waitNanos, Limits.nanos(limit)), maxAttempts);
    }

    boolean isEndless() {
        return waitNanos == Long.MAX_VALUE;
    }

    boolean hasAttemptLimit() {
        return maxAttempts != Integer.MAX_VALUE;
    }
}
