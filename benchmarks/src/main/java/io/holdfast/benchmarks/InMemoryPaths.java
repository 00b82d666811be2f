// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.RedisAddress;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** What never leaves the process, and so is a matter of nanoseconds: JMH has the say here. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class InMemoryPaths {
    private final EmbeddedRedis server = EmbeddedRedis.start();
    private final Holdfast holdfast = Holdfast.builder()
            .connector(JedisConnector.connect(RedisAddress.parse(server.uri())))
            .build();
    private final DistributedLock lock = holdfast.lock("re-entered");
    private final Lease lease = holdfast.lock("held").acquire();

    static void run() throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(InMemoryPaths.class.getName())
                .include(WovenPaths.class.getName())
                .jvmArgsAppend("-XX:+UseSerialGC");
        if (!Entry.HOLDFAST_JEDIS_RETAINED.isBuilt()) {
            options.exclude("retained");
        }
        new Runner(options.build()).run();
    }

    /** From now on this thread holds the lock. */
    @Setup
    public void hold() {
        lock.lock();
    }

    /** Frees all. */
    @TearDown
    public void release() {
        lease.close();
        lock.unlock();
        holdfast.close();
        server.close();
    }

    /** {@code lock()} and {@code unlock()} in a thread that holds the lock. */
    @Benchmark
    @SuppressWarnings("LockNotBeforeTry") // a try would be measured too
    public void reentry() {
        lock.lock();
        lock.unlock();
    }

    /** {@code Lease.isHeld()}, which code under a lock may ask before every step. */
    @Benchmark
    public boolean isHeld() {
        return lease.isHeld();
    }

    /** Taking and giving back a lock that the process keeps for a moment after each release. */
    @Benchmark
    public void retained(Retained state) throws InterruptedException {
        state.contender.acquire("retained").release();
    }

    /** Apart, because only one benchmark needs it. */
    @State(Scope.Thread)
    public static class Retained {
        private final EmbeddedRedis server = EmbeddedRedis.start();
        private final Contender contender = Entry.HOLDFAST_JEDIS_RETAINED.open(RedisAddress.parse(server.uri()));

        /** Frees all. */
        @TearDown
        public void close() {
            contender.close();
            server.close();
        }
    }
}
