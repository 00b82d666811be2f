// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.junit.jupiter.api.Test;

/**
 * The queue at a gate under threads that come, take turns and leave: nobody is let in beside another, and nobody is left
 * waiting. No timer runs, so no poll makes up for a grant or a call that went astray: lincheck sees a waiter that hangs.
 *
 * <p>An acquire from end to end is too long for the model checker.
 */
class GateLincheckTest {

    @Test
    void sections_ofManyThreadsAndTwoProcesses_areOneAfterTheOther() {
        LincheckSetting.stress(3, 3).iterations(15).invocationsPerIteration(300).check(Turns.class);
    }

    @Test
    void callersWhoLeave_takeNobodysTurnWithThem() {
        LincheckSetting.stress(3, 3)
                .iterations(15)
                .invocationsPerIteration(300)
                .verifier(EpsilonVerifier.class)
                .check(Crowd.class);
    }

    /** Numbers that can only come out in order if each section sees what the one before it left. */
    public static final class Turns {
        private final OneLockStore store = new OneLockStore();
        private final Engine here = LincheckSetting.engine(store, new HandClock());
        private final Engine there = LincheckSetting.engine(store, new HandClock());
        private int sections;

        @Operation
        public int section() {
            return sectionIn(here);
        }

        @Operation
        public int sectionInAnotherProcess() {
            return sectionIn(there);
        }

        private int sectionIn(Engine process) {
            CallerDriver caller = new CallerDriver(store);
            TokenLease lease = take(process, caller);
            int number = sections;
            Thread.yield(); // time for another to be let in beside it
            sections = number + 1;
            lease.release();
            return number;
        }

        @Validate
        public void nothingIsLeft() {
            assertNothingIsLeft(here, store);
            assertNothingIsLeft(there, store);
        }
    }

    /** Callers with and without a thread of their own, some of whom are gone before their turn comes. */
    public static final class Crowd {
        private final OneLockStore store = new OneLockStore();
        private final Engine engine = LincheckSetting.engine(store, new HandClock());
        private final Engine anotherProcess = LincheckSetting.engine(store, new HandClock());
        private final Queue<Acquisition> callers = new ConcurrentLinkedQueue<>();
        private final AtomicInteger inside = new AtomicInteger();
        private volatile boolean alone = true;

        @Operation
        public void section() {
            CallerDriver caller = new CallerDriver(store);
            Acquisition acquisition = new Acquisition(engine, LincheckSetting.wish(caller));
            callers.add(acquisition);
            try {
                use(caller.await(acquisition));
            } catch (CompletionException e) {
                assertThat(e).hasCauseInstanceOf(GoneAway.class);
            }
        }

        @Operation
        public void sectionInAnotherProcess() {
            CallerDriver caller = new CallerDriver(store);
            use(take(anotherProcess, caller));
        }

        @Operation
        public void sectionOfAnAsynchronousCaller() {
            Acquisition acquisition = new Acquisition(engine, LincheckSetting.wish(Runnable::run));
            callers.add(acquisition);
            Futures.onDone(acquisition.result(), (lease, gone) -> {
                if (lease != null) {
                    use(lease);
                }
            });
            acquisition.start();
        }

        @Operation
        public void someCallerGoesAway() {
            Acquisition first = callers.poll();
            if (first != null) {
                first.fail(new GoneAway());
            }
        }

        private void use(TokenLease lease) {
            alone &= inside.incrementAndGet() == 1;
            inside.decrementAndGet();
            lease.release();
        }

        @Validate
        public void everybodyHadItsTurn() {
            assertThat(alone).as("each alone").isTrue();
            assertThat(callers).extracting(Acquisition::result).allMatch(CompletableFuture::isDone);
            assertNothingIsLeft(engine, store);
            assertNothingIsLeft(anotherProcess, store);
        }
    }

    /** As a blocking caller does: what lies idle is taken without an acquisition. */
    private static TokenLease take(Engine process, CallerDriver caller) {
        Wish wish = LincheckSetting.wish(caller);
        TokenLease idle = process.gates.lend(wish);
        return idle != null ? idle : caller.await(new Acquisition(process, wish));
    }

    private static final class GoneAway extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static void assertNothingIsLeft(Engine process, OneLockStore store) {
        assertThat(store.isEmpty()).as("the lock is free, its queue empty").isTrue();
        assertThat(process.gates.size()).as("gates").isZero();
        assertThat(process.keeper.size()).as("holds").isZero();
        assertThat(process.switchboard.size()).as("bids").isZero();
        assertThat(process.waiting).as("acquires under way").isEmpty();
    }
}
