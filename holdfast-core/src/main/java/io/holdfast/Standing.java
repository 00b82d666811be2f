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

    /** What a process that gives the lock back knows of it, and when: the next that waits has heard nothing itself. */
    record News(AcquireReply.Contended seen, long at) {}

    Standing(Bid bid) {
        this(bid, null);
    }

    /** With news it counts as asking: the release asks for it. */
    Standing(Bid bid, @Nullable News last) {
        this.bid = bid;
        if (last != null) {
            busy = last.seen;
            askedAt = last.at;
            asking = true;
        }
    }

    /** The release put it into the queue, so the lock is another's; it did not say whose. */
    void stands() {
        asking = false;
        heard(new AcquireReply.Contended(null, -2, false, true));
        bid.stands();
    }

    /** That bid came to nothing: another one takes its place, unless one has. Whether it was this standing's. */
    boolean bidAnew(Acquisition asker, Bid spent) {
        boolean mine = bid.equals(spent);
        if (mine) {
            bid = asker.newBid();
            asker.represents(this);
        }
        return mine;
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
