// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.holdfast.spi.AcquireReply;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.util.LoggingLevel;
import org.junit.jupiter.api.Test;

/**
 * What a hold says of itself while it is renewed, released and lost at once: each answer is one that some order of these
 * steps, one after the other, would give as well. So it has one end, and nothing revives it. Small enough for the model
 * checker, which runs one thread at a time and switches wherever it wants.
 */
class HoldLincheckTest {

    @Test
    void renewalReleaseAndLoss_atOnce_areAsOneAfterTheOther() {
        new ModelCheckingOptions()
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(10)
                .invocationsPerIteration(100)
                .logLevel(LoggingLevel.ERROR)
                // No part of the algorithm: a switch in there only costs time.
                .addGuarantee(forClasses(
                                "java.time.Duration",
                                "io.holdfast.LeaseTerms",
                                "io.holdfast.LockOptions",
                                "io.holdfast.LockValue",
                                "io.holdfast.Tokens")
                        .allMethods()
                        .ignore())
                .check(OneHold.class);
    }

    public static final class OneHold {
        private static final Duration TTL = LincheckSetting.OPTIONS.ttl();
        private static final long EARLY = TimeUnit.SECONDS.toNanos(1);
        /** After the first promise has ended, within what a renewal adds. */
        private static final long LATE = TTL.toNanos() + EARLY;

        private static final Tokens TOKENS = new Tokens("host-a/4711");

        private final AtomicInteger ends = new AtomicInteger();
        private final Hold hold = new Hold(
                new Bid(new OneLockStore(), LincheckSetting.NAME, LincheckSetting.OPTIONS, TOKENS),
                new AcquireReply.Granted(7, false, false),
                0);

        @Operation
        public boolean release() {
            return counted(hold.close(EARLY));
        }

        @Operation
        public boolean releaseLate() {
            return counted(hold.close(LATE));
        }

        @Operation
        public boolean keyIsFoundGone() {
            return counted(hold.lose(LostReason.GONE, EARLY));
        }

        @Operation
        public boolean isFoundExpired() {
            return counted(hold.lose(LostReason.EXPIRED, LATE));
        }

        private boolean counted(boolean end) {
            if (end) {
                ends.incrementAndGet();
            }
            return end;
        }

        @Operation
        public boolean renewalIsConfirmed() {
            return hold.extend(2 * EARLY, TTL, 2 * EARLY);
        }

        @Operation
        public boolean isValid() {
            return hold.isValid(EARLY);
        }

        @Operation
        public boolean isValidLate() {
            return hold.isValid(LATE);
        }

        /** Whoever sees LOST must find the reason. */
        @Operation
        public String end() {
            Hold.State state = hold.state();
            return state == Hold.State.LOST ? state + " " + hold.lostReason() : state.toString();
        }

        @Validate
        public void endsOnceAndForGood() {
            LincheckSetting.ensure(ends.get() == (hold.state() == Hold.State.HELD ? 0 : 1), "one end, and it stays");
        }
    }
}
