// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Test;

/** A caller who goes away while its grant comes in: whenever that is, either it has the lease, or nobody. */
class AcquisitionLincheckTest {

    @Test
    void tryWithoutWait_cancelledAtAnyTime_leavesNothing() {
        LincheckSetting.stress(2, 1)
                .iterations(1)
                .invocationsPerIteration(1_500)
                .verifier(EpsilonVerifier.class)
                .check(Cancellation.class);
    }

    /** One try to take a free lock, and one cancel. */
    public static final class Cancellation {
        private final OneLockStore store = new OneLockStore();
        private final Engine engine = LincheckSetting.engine(store, new HandClock());
        private final Acquisition acquisition = new Acquisition(
                engine,
                new Wish(LincheckSetting.NAME, LincheckSetting.OPTIONS, Patience.once(), Runnable::run, engine.events));

        @Operation(runOnce = true)
        public void acquire() {
            acquisition.start();
        }

        @Operation(runOnce = true)
        public void cancel() {
            acquisition.fail(new IllegalStateException("gone"));
        }

        @Validate
        public void eitherTheCallerHasItOrNobody() {
            boolean granted =
                    acquisition.result().isDone() && !acquisition.result().isCompletedExceptionally();
            LincheckSetting.ensure(
                    granted || store.isEmpty() || engine.cleaner.underWay() > 0, "held by the caller, or by nobody");
            LincheckSetting.ensure(engine.keeper.size() == (granted ? 1 : 0), "kept for the caller only");
        }
    }
}
