// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockName;
import io.holdfast.spi.MonotonicClock;
import java.util.List;
import java.util.concurrent.Executor;
import org.jetbrains.lincheck.datastructures.StressOptions;

/** What the tests with lincheck share: above all an engine that starts no thread, so that lincheck alone says who runs. */
final class LincheckSetting {
    static final LockName NAME = new KeySpace("holdfast", "lock", false).name("order:42");

    static final LockOptions OPTIONS = LockOptions.builder().build();

    private static final Events NOBODY = new Events(List.of());

    private LincheckSetting() {}

    /** A process. Nothing rings in it: no poll makes up for word that was lost. */
    static Engine engine(LockBackend backend, MonotonicClock clock, LockListener... listeners) {
        Alarms alarms = new Alarms(clock, NeverRuns::new);
        Engine engine = new Engine(backend, alarms, new Tokens("host-a/4711"), new Events(List.of(listeners)));
        engine.listen(); // before anybody can miss a word
        return engine;
    }

    static Wish wish(Executor steps) {
        return new Wish(NAME, OPTIONS, Patience.endless(), steps, NOBODY);
    }

    /** AssertJ can't be called under the model checker, which compares its assertions by {@code equals}. */
    static void ensure(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException("not so: " + what);
        }
    }

    /** Real threads, so schedules are a matter of luck: but thousands of them, and a scenario may be long. */
    static StressOptions stress(int threads, int operations) {
        return new StressOptions()
                .threads(threads)
                .actorsPerThread(operations)
                .actorsBefore(0)
                .actorsAfter(0);
    }

    private static final class NeverRuns extends Thread {
        NeverRuns(Runnable task) {
            super(task);
        }

        @Override
        public void start() {}
    }
}
