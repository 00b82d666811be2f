// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import org.jspecify.annotations.Nullable;

/** One acquisition of a fair lock among the others of its process; held back, it may go to Redis with a release of theirs. */
final class Ride {
    private final Acquisition acquisition;
    private final Convoys.Convoy convoy;

    Ride(Acquisition acquisition, Convoys.Convoy convoy) {
        this.acquisition = acquisition;
        this.convoy = convoy;
    }

    /** It asks at that instant, unless a release does it before. */
    void holdBack(Standing.@Nullable News known, long until) {
        acquisition.represents(new Standing(acquisition.newBid(), known));
        if (acquisition.waitsForAnother()) {
            acquisition.pause.until(until);
        }
    }

    boolean isHeldBack() {
        Standing standing = acquisition.standing;
        return !acquisition.isOver() && standing != null && standing.bid.isUntried();
    }

    /** There is nothing to be held back for any more. */
    void askAtOnce() {
        if (acquisition.pause.stop()) {
            acquisition.ask();
        }
    }

    /** From now on a release asks for it; null when it has asked by itself, or is over. */
    GivenBack.@Nullable Place goAlong() {
        Standing standing = acquisition.standing;
        if (standing == null || !isHeldBack() || !acquisition.pause.stop()) {
            return null;
        }
        acquisition.effort.asks();
        return GivenBack.Place.of(acquisition, standing);
    }

    /** The acquisition has the lock, or wants it no more. */
    void over() {
        convoy.over();
    }
}
