// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.AcquireReply;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where asking Redis stands: the bid, and what was heard last. It outlives the acquisition that asks: one that gives up leaves
 * it, with its place in the queue, to the next one of its process.
 */
final class Standing {
    // Steps follow one another; only deadlines and cancellations look in from other threads.
    volatile Bid bid;
    volatile AcquireReply.@Nullable Contended busy;
    volatile @Nullable Throwable failure;
    volatile boolean asking;
    volatile long askedAt;
    int failuresInARow;
    volatile long failingSince;

    Standing(Bid bid) {
        this.bid = bid;
    }

    /** Whether an answer is overdue. */
    boolean isHung(long now, Duration commandTimeout) {
        return asking && now - askedAt > commandTimeout.toNanos();
    }

    void heard(AcquireReply.Contended contended) {
        failuresInARow = 0;
        failure = null;
        busy = contended;
    }

    void failed(Throwable error, long now) {
        if (failuresInARow++ == 0) {
            failingSince = now;
        }
        failure = error;
    }
}
