// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * What one contender did in one turn.
 *
 * @param cycles acquire and release pairs
 * @param cyclesPerSecond of all threads together
 * @param clientMicros CPU time of this JVM per cycle
 * @param serverMicros CPU time of the server per cycle
 * @param latencies nanoseconds per cycle
 */
record Turn(long cycles, double cyclesPerSecond, double clientMicros, double serverMicros, Histogram latencies) {
    private static final long HIGHEST_NANOS = Duration.ofSeconds(30).toNanos();

    /** Runs it on that many threads, each with a lock of its own. */
    static Turn run(Contender contender, int threads, Duration length, ServerView server) {
        double serverBefore = server.cpuMicros();
        double clientBefore = clientCpuMicros();
        long startedAt = System.nanoTime();
        Histogram latencies = onThreads(contender, threads, startedAt + length.toNanos());
        double seconds = (System.nanoTime() - startedAt) / 1e9;
        double clientMicros = clientCpuMicros() - clientBefore;
        double serverMicros = server.cpuMicros() - serverBefore;
        long cycles = latencies.getTotalCount();
        return new Turn(cycles, cycles / seconds, clientMicros / cycles, serverMicros / cycles, latencies);
    }

    private static Histogram onThreads(Contender contender, int threads, long until) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Histogram>> workers = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                String key = "order:" + (1000 + i);
                workers.add(() -> loop(contender, key, until));
            }
            Histogram all = histogram();
            for (Future<Histogram> worker : pool.invokeAll(workers)) {
                all.add(worker.get());
            }
            return all;
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(contender.name() + " failed", e);
        } finally {
            pool.shutdown();
        }
    }

    private static Histogram loop(Contender contender, String key, long until) {
        Histogram latencies = histogram();
        long before = System.nanoTime();
        do { // at least once, also on a machine that keeps a thread waiting for longer than a turn
            contender.cycle(key);
            long after = System.nanoTime();
            latencies.recordValue(Math.min(after - before, HIGHEST_NANOS));
            before = after;
        } while (before - until < 0);
        return latencies;
    }

    private static Histogram histogram() {
        return new Histogram(HIGHEST_NANOS, 3);
    }

    private static double clientCpuMicros() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system) {
            return system.getProcessCpuTime() / 1e3;
        }
        return Double.NaN;
    }
}
