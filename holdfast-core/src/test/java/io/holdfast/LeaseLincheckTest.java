// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Test;

/**
 * A lease that is renewed by its keeper, renewed by hand, released, taken away and out of time, all at once: it ends at most
 * once, one way, and what has ended is neither held again nor kept.
 */
class LeaseLincheckTest {

    @Test
    void endsOfALease_atOnce_oneWinsAndStays() {
        LincheckSetting.stress(3, 3)
                .iterations(15)
                .invocationsPerIteration(300)
                .verifier(EpsilonVerifier.class)
                .check(OneLease.class);
    }

    /** A lease of a lock that is renewed every ten seconds. */
    public static final class OneLease {
        private final OneLockStore store = new OneLockStore();
        private final HandClock clock = new HandClock();
        private final AtomicInteger released = new AtomicInteger();
        private final AtomicInteger lost = new AtomicInteger();
        private final Engine engine = LincheckSetting.engine(store, clock, new LockListener() {
            @Override
            public void released(LockEvent event) {
                released.incrementAndGet();
            }

            @Override
            public void lost(LockEvent event) {
                lost.incrementAndGet();
            }
        });
        private final TokenLease lease = granted();
        private volatile boolean seenEnded;
        private volatile boolean revived;
        private volatile int releasesThatWereFirst;

        private TokenLease granted() {
            Acquisition acquisition = new Acquisition(
                    engine,
                    new Wish(
                            LincheckSetting.NAME,
                            LincheckSetting.OPTIONS,
                            Patience.once(),
                            Runnable::run,
                            engine.events));
            acquisition.start();
            return acquisition.result().join();
        }

        @Operation
        public void look() {
            boolean endedBefore = seenEnded;
            boolean held = lease.isHeld();
            revived |= endedBefore && held;
            seenEnded |= !held;
        }

        @Operation
        public void release() {
            if (lease.release()) {
                synchronized (this) {
                    releasesThatWereFirst++;
                }
            }
            seenEnded = true;
        }

        @Operation
        public void renewByHand() {
            boolean endedBefore = seenEnded;
            revived |= lease.renew(LincheckSetting.OPTIONS.ttl()) && endedBefore;
        }

        @Operation
        public void tenSecondsGoBy() {
            clock.advanceUnnoticed(Duration.ofSeconds(10));
            engine.keeper.tend();
        }

        @Operation(runOnce = true)
        public void keyIsDeletedByAStranger() {
            store.delete();
        }

        @Validate
        public void oneEndAtMost() {
            engine.keeper.tend(); // a release that came too late leaves it to the keeper to tell
            boolean held = lease.isHeld();
            int ends = released.get() + lost.get();
            LincheckSetting.ensure(!revived, "once ended, ended");
            LincheckSetting.ensure(ends == (held ? 0 : 1), "one end: " + released + " released, " + lost + " lost");
            LincheckSetting.ensure(
                    releasesThatWereFirst == released.get(), "the release that won says so, and no other");
            LincheckSetting.ensure(engine.keeper.size() == (held ? 1 : 0), "kept while it is held");
            LincheckSetting.ensure(held == (lease.hold().state() == Hold.State.HELD), "held is what its hold is");
        }
    }
}
