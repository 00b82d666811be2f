// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockName;
import io.holdfast.spi.MonotonicClock;
import java.util.List;
import java.util.concurrent.Executor;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.util.LoggingLevel;

/** What the tests with lincheck share: above all an engine that starts no thread, so that lincheck alone says who runs. */
final class LincheckSetting {
    static final LockName NAME = new KeySpace("holdfast", "lock", false).name("order:42");

    static final LockOptions OPTIONS = LockOptions.builder().build();

    private LincheckSetting() {}

    /** A process. Nothing rings in it: no poll makes up for word that was lost. */
    static Engine engine(LockBackend backend, MonotonicClock clock, LockListener... listeners) {
        Alarms alarms = new Alarms(clock, NeverRuns::new);
        Engine engine = new Engine(backend, alarms, new Tokens("host-a/4711"), new Events(List.of(listeners)));
        engine.listen(); // before anybody can miss a word
        return engine;
    }

    static Wish wish(Executor steps) {
        return new Wish(NAME, OPTIONS, Patience.endless(), steps);
    }

    /** AssertJ can't be called under the model checker, which compares receivers by {@code equals}. */
    static void ensure(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException("not so: " + what);
        }
    }

    /** Real threads, thousands of times: schedules are a matter of luck, but a scenario may be long. */
    static StressOptions stress() {
        return new StressOptions()
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(0)
                .iterations(15)
                .invocationsPerIteration(300);
    }

    /** One thread at a time, and a switch wherever lincheck wants one: for scenarios of a few steps. */
    static ModelCheckingOptions everySchedule(int threads, int operations) {
        return new ModelCheckingOptions()
                .threads(threads)
                .actorsPerThread(operations)
                .actorsBefore(0)
                .actorsAfter(0)
                .logLevel(LoggingLevel.ERROR)
                // No part of the algorithm: a switch in there only costs time.
                .addGuarantee(forClasses(
                                "java.util.concurrent.ConcurrentHashMap",
                                "java.util.concurrent.ConcurrentHashMap$KeySetView",
                                "java.util.concurrent.ConcurrentMap",
                                "java.util.Set",
                                "java.util.List",
                                "java.util.Optional",
                                "java.time.Duration",
                                "io.holdfast.Alarms",
                                "io.holdfast.HandClock",
                                "io.holdfast.LeaseTerms",
                                "io.holdfast.LockOptions",
                                "io.holdfast.LockValue",
                                "io.holdfast.Patience",
                                "io.holdfast.Tokens",
                                "io.holdfast.Wish",
                                "io.holdfast.spi.MonotonicClock")
                        .allMethods()
                        .ignore())
                .addGuarantee(forClasses("io.holdfast.Switchboard")
                        .methods("add", "remove", "releasedUnseen", "lastReleased")
                        .ignore())
                .addGuarantee(
                        forClasses("io.holdfast.Futures") // starts a thread of the JDK's pool, which lincheck waits for
                                .methods("outside")
                                .ignore())
                .addGuarantee(forClasses("io.holdfast.OneLockStore")
                        .methods("execute")
                        .ignore());
    }

    private static final class NeverRuns extends Thread {
        NeverRuns(Runnable task) {
            super(task);
        }

        @Override
        public void start() {}
    }
}
