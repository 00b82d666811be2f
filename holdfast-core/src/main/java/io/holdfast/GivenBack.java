// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.AcquireReply;
import org.jspecify.annotations.Nullable;

/**
 * What a release does with a hold.
 *
 * @param kept true when it stays in this process
 * @param next who is to stand in the queue with the release, or null
 * @param standing its new bid, null without {@code next}
 */
record GivenBack(
        boolean kept, @Nullable Acquisition next, @Nullable Standing standing) {
    static final GivenBack KEPT = new GivenBack(true, null, null);
    static final GivenBack TO_REDIS = new GivenBack(false, null, null);

    @Nullable
    Bid bid() {
        return standing == null ? null : standing.bid;
    }

    /** Whether the release can put the next one into the queue: where it would hear of its turn, and be given it. */
    boolean standsInQueue() {
        Bid bid = bid();
        return bid != null && bid.listening != 0 && !bid.name.isExact();
    }

    /** After the release: the next one has the lock, waits for word, or asks for itself. */
    void goOn(AcquireReply.@Nullable Granted granted, long sentAt) {
        Bid bid = bid();
        Acquisition asker = bid == null ? null : bid.asker; // not next, if that has gone meanwhile
        if (next == null || standing == null || bid == null || asker == null) {
            return;
        }
        if (granted != null) {
            if (bid.claim()) { // otherwise another answer brought it before
                asker.granted(granted, sentAt, bid);
            }
        } else if (!standsInQueue()) {
            askAfresh();
        } else if (asker.equals(next)) {
            standing.stands();
            next.waitForWord();
        }
    }

    /** The next one asks as if nobody had done anything for it. */
    void askAfresh() {
        if (next != null) {
            next.representLater();
        }
    }
}
