// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.AcquireReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a release does with a hold.
 *
 * @param kept true when it stays in this process
 * @param places of those who are to stand in the queue with the release, in that order
 */
record GivenBack(boolean kept, List<Place> places) {
    static final GivenBack KEPT = new GivenBack(true, List.of());
    static final GivenBack TO_REDIS = new GivenBack(false, List.of());

    /** Those places ask as if nobody had done anything for them. */
    void askAfresh() {
        places.forEach(Place::askAfresh);
    }

    /**
     * Of one who asks next.
     *
     * @param next who it is
     * @param standing its own
     * @param bid what the release asks with; the standing may get another one before the answer is there
     */
    record Place(Acquisition next, Standing standing, Bid bid) {

        static Place of(Acquisition next, Standing standing) {
            return new Place(next, standing, standing.bid);
        }

        /** Whether the release can put it into the queue: where it would hear of its turn, and be given it. */
        boolean isInQueue() {
            return bid.listening != 0 && bid.listening == bid.backend.listening() && !bid.name.isExact();
        }

        /** A release is about to ask for it. Word may come before the answer to that; with neither it asks by itself. */
        void waitsForRelease(long until) {
            next.pause.asking();
            next.pause.until(until);
        }

        /**
         * After the release: it has the lock, waits for word, or asks for itself.
         *
         * @param listed whether the release could put it into the queue
         */
        void goOn(AcquireReply.@Nullable Granted granted, long sentAt, boolean listed, Cleaner cleaner) {
            Acquisition asker = bid.asker; // not next, if that has gone meanwhile
            if (granted != null) {
                if (asker != null && bid.claim()) { // otherwise another answer brought it before, or it left
                    asker.granted(granted, sentAt, bid);
                } else {
                    cleaner.passedOn(bid.token());
                }
            } else if (next.equals(asker) && standing.bid.equals(bid) && next.pause.stop()) { // it does not ask already
                if (listed && isInQueue()) {
                    standing.stands();
                    next.waitForWord();
                } else {
                    askAfresh();
                }
            }
        }

        void askAfresh() {
            next.representLater();
        }
    }
}
