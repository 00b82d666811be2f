// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.benchmarks.Board.Phase;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** The threads of one process in one turn: they take and give back their locks for as long as the board says. */
final class Crew {
    /** By then the last waiter must have had the lock, also where a waiter sleeps through many releases. */
    private static final long DRAIN_SECONDS = 60;

    private final Contender contender;
    private final Scenario scenario;
    private final Board board;
    private final ExecutorService pool;
    private final CountDownLatch connected;
    private final List<Future<Share.Part>> threads = new ArrayList<>();
    private final AtomicLong cpuAtStart = new AtomicLong();
    private final AtomicLong cpuAtStop = new AtomicLong();

    private Crew(Contender contender, Scenario scenario, Board board) {
        this.contender = contender;
        this.scenario = scenario;
        this.board = board;
        this.pool = Executors.newFixedThreadPool(scenario.threads());
        this.connected = new CountDownLatch(scenario.threads());
    }

    /** Returns when every thread has had the lock of its own warm-up key once, and so is connected. */
    static Crew assemble(Contender contender, Scenario scenario, Board board) throws InterruptedException {
        Crew crew = new Crew(contender, scenario, board);
        for (int i = 0; i < scenario.threads(); i++) {
            int thread = i;
            crew.threads.add(crew.pool.submit(() -> crew.work(thread)));
        }
        crew.connected.await();
        return crew;
    }

    /** Waits until the board says stop and every thread has its last grant behind it. */
    Share disband() throws InterruptedException {
        try {
            List<Share.Part> parts = new ArrayList<>();
            for (Future<Share.Part> thread : threads) {
                parts.add(result(thread));
            }
            return Share.of(parts, cpuAtStop.get() - cpuAtStart.get());
        } finally {
            pool.shutdownNow();
        }
    }

    private Share.Part result(Future<Share.Part> thread) throws InterruptedException {
        try {
            while (board.phase() != Phase.STOP && !thread.isDone()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            return thread.get(DRAIN_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a thread failed: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("a thread still waits " + DRAIN_SECONDS + " s after the others stopped", e);
        }
    }

    private Share.Part work(int thread) throws InterruptedException {
        try {
            contender
                    .acquire("connect:" + ProcessHandle.current().pid() + ":" + thread)
                    .release();
        } finally {
            connected.countDown();
        }
        while (board.phase() == Phase.WAIT) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return race(thread);
    }

    /**
     * A grant counts when it falls in the measured window. Its wait is recorded also when the grant came after the window's
     * end: otherwise a thread that starved all the time would look like one that never waited.
     */
    private Share.Part race(int thread) throws InterruptedException {
        int lock = scenario.lockOf(thread);
        String key = scenario + ":" + lock;
        long mark = (ProcessHandle.current().pid() << 16) + thread + 1;
        Histogram waits = Share.histogram();
        long grants = 0;
        while (board.phase() != Phase.STOP) {
            long askedAt = System.nanoTime();
            Contender.Grant grant = contender.acquire(key);
            long waited = System.nanoTime() - askedAt;
            Phase phase = board.phase();
            board.enter(lock, mark);
            stay();
            board.leave(lock, mark);
            grant.release();
            if (phase.compareTo(Phase.MEASURE) >= 0) {
                waits.recordValue(Math.min(waited, waits.getHighestTrackableValue()));
                grants += phase == Phase.MEASURE ? 1 : 0;
                noteCpu(cpuAtStart);
            }
        }
        noteCpu(cpuAtStop);
        return new Share.Part(grants, waits);
    }

    private void stay() {
        long until = System.nanoTime() + scenario.sectionNanos();
        while (scenario.sectionNanos() > 0 && System.nanoTime() - until < 0) {
            Thread.onSpinWait();
        }
    }

    /** The first thread that comes by notes it for all. */
    private static void noteCpu(AtomicLong note) {
        if (note.get() == 0) {
            note.compareAndSet(0, cpuNanos());
        }
    }

    /** CPU time of this JVM so far. */
    static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }
}
