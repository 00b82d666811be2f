// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.MonotonicClock;
import java.io.IOException;
import java.time.Duration;

/**
 * Looks for a reply for a moment before the thread sleeps for it: a server nearby answers sooner than a sleeping thread
 * wakes up. One per connection, for one thread at a time.
 *
 * <p><b>Cost.</b> A moment of a processor that would have been idle. So only the thread of a command that is alone in its
 * process looks, and one that looked in vain leaves out the next looks: 2, then 4, up to {@value #MOST_LEFT_OUT} of them while
 * it stays so. To a server farther away than a moment next to nothing is spent on it.
 */
final class Lookout {
    /** Longer than a round trip on one machine or in one rack, shorter than anybody would notice. */
    static final Duration MOMENT = Duration.ofNanos(150_000);

    private static final int MOST_LEFT_OUT = 1024;

    private final Traffic traffic;
    private final MonotonicClock clock;
    private final long nanos;
    private int toLeaveOut;
    private int leftOut = 1;

    /** What is looked at. */
    interface Sight {
        boolean isThere() throws IOException;
    }

    /** @param moment zero for never */
    Lookout(Traffic traffic, MonotonicClock clock, Duration moment) {
        this.traffic = traffic;
        this.clock = clock;
        this.nanos = moment.toNanos();
    }

    /** Returns when it is there, or when looking any longer is not worth it. */
    void lookFor(Sight reply) throws IOException {
        if (nanos == 0) {
            return;
        }
        if (toLeaveOut > 0) {
            toLeaveOut--;
            return;
        }
        long until = clock.nanoTime() + nanos;
        while (traffic.isSole()) {
            if (reply.isThere()) {
                leftOut = 1;
                return;
            }
            if (clock.nanoTime() - until >= 0) {
                leftOut = Math.min(MOST_LEFT_OUT, 2 * leftOut);
                toLeaveOut = leftOut;
                return;
            }
            Thread.onSpinWait();
        }
    }
}
