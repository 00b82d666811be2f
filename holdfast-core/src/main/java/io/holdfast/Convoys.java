// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Threads of one process that want the same fair lock go to Redis together: whoever asks for it while others here have it, or
 * stand in its queue, is held back until the next release by this process, which puts all of them into the queue, one behind the
 * other. There one grant serves them ({@link Succession}).
 *
 * <p><b>Fairness.</b> Who is first is decided by arrival at Redis; to arrive later oneself overtakes nobody. Those held back lose
 * two milliseconds at most: then they ask on their own.
 *
 * <p><b>Safety, liveness.</b> Held back, an acquisition has sent nothing and its alarm is set; a release that never comes costs it
 * that time. Whoever ends its pause, alarm or release, asks for it, and nobody else does ({@link Pause#stop}).
 */
final class Convoys {
    private static final long LONGEST = Duration.ofMillis(2).toNanos();
    /** Of those one release takes along. More than one grant serves would only make a script of ours long. */
    private static final int MOST = 32;

    private final Engine engine;
    private final ConcurrentMap<Gates.Key, Convoy> convoys = new ConcurrentHashMap<>();

    Convoys(Engine engine) {
        this.engine = engine;
    }

    /** Those of this process that want one lock, or have it; there is one while there are any. */
    final class Convoy {
        private final Gates.Key key;
        // Guarded by this.
        private final Deque<Ride> heldBack = new ArrayDeque<>(1);
        private @Nullable Hold hold;
        private int waiting;
        private boolean gone;
        /** Some went with a release at that instant, and nobody has followed them yet. */
        private boolean justLeft;

        private long leftAt;

        private Convoy(Gates.Key key) {
            this.key = key;
        }

        private synchronized boolean enter() {
            waiting += gone ? 0 : 1;
            return !gone;
        }

        private synchronized boolean begin(Hold granted) {
            hold = gone ? null : granted;
            return !gone;
        }

        /** One that wanted the lock has it, or wants it no more. */
        synchronized void over() {
            waiting--;
            goIfEmpty();
        }

        /**
         * Whether to wait for company. Not right after some have left, as the thread does that took them along and comes back: it
         * stands next to them if it asks at once.
         */
        private synchronized boolean isWorthWaiting(long now) {
            if (justLeft && heldBack.isEmpty() && now - leftAt < LONGEST) {
                justLeft = false;
                return false;
            }
            return waiting > 1 || hold != null;
        }

        private synchronized boolean add(Ride ride, long now) {
            if (!isWorthWaiting(now)) {
                return false;
            }
            while (!heldBack.isEmpty() && !heldBack.element().isHeldBack()) {
                heldBack.remove(); // no release came in time
            }
            heldBack.add(ride);
            return true;
        }

        /** Null when that is for Redis to say. */
        private synchronized Standing.@Nullable News known(long now) {
            return hold == null ? null : new Standing.News(hold.seen(now), now);
        }

        /** That hold goes to Redis; who goes with it, but for those who asked on their own meanwhile. */
        synchronized List<GivenBack.Place> release(Hold released, long now) {
            List<GivenBack.Place> places = new ArrayList<>();
            while (!heldBack.isEmpty() && places.size() < MOST) {
                GivenBack.Place place = heldBack.remove().goAlong();
                if (place != null) {
                    places.add(place);
                }
            }
            if (!places.isEmpty()) {
                justLeft = true;
                leftAt = now;
            }
            if (released.equals(hold)) {
                hold = null;
            }
            goIfEmpty();
            return places;
        }

        /** Guarded by this. */
        private void goIfEmpty() {
            if (waiting == 0 && hold == null) {
                gone = true;
                convoys.remove(key, this);
            }
        }
    }

    /** This process has the lock, until it {@linkplain Convoy#release releases} it. */
    Convoy begin(Hold hold) {
        return find(new Gates.Key(hold.name(), hold.options().terms()), convoy -> convoy.begin(hold));
    }

    /** False when it is to ask on its own, at once. */
    boolean holdBack(Acquisition acquisition) {
        if (!isEligible(acquisition)) {
            return false;
        }
        Gates.Key key = new Gates.Key(
                acquisition.wish.name(), acquisition.wish.options().terms());
        Convoy convoy = find(key, Convoy::enter);
        Ride ride = new Ride(acquisition, convoy);
        acquisition.ride = ride; // from here on its end counts
        long now = engine.clock.nanoTime();
        if (!convoy.isWorthWaiting(now)) {
            return false;
        }
        ride.holdBack(convoy.known(now), now + LONGEST);
        if (!convoy.add(ride, now)) {
            ride.askAtOnce();
        }
        return true;
    }

    /** Whether others could take it along, and would gain by it; without a subscription it would not hear of its turn. */
    private boolean isEligible(Acquisition acquisition) {
        LockOptions options = acquisition.wish.options();
        return options.fair()
                && options.owner().isEmpty()
                && !acquisition.wish.name().isExact()
                && acquisition.patience.staysInQueue()
                && acquisition.patience.waitNanos() / 10 > LONGEST
                && engine.redis.listening() != 0;
    }

    private Convoy find(Gates.Key key, Predicate<Convoy> use) {
        while (true) {
            Convoy convoy = convoys.computeIfAbsent(key, Convoy::new);
            if (use.test(convoy)) { // otherwise its last one left in this moment
                return convoy;
            }
        }
    }
}
