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
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** What never leaves the process, and so is a matter of nanoseconds: JMH has the say here. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class InMemoryPaths {
    private EmbeddedRedis server;
    private Holdfast holdfast;
    private DistributedLock lock;
    private Lease lease;

    /** For JMH. */
    public InMemoryPaths() {}

    static void run() throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(InMemoryPaths.class.getName())
                        .jvmArgsAppend("-XX:+UseSerialGC")
                        .build())
                .run();
    }

    /** A thread that holds a lock, and a lease. */
    @Setup
    public void hold() {
        server = EmbeddedRedis.start();
        holdfast = Holdfast.builder()
                .connector(JedisConnector.connect(RedisAddress.parse(server.uri())))
                .build();
        lock = holdfast.lock("re-entered");
        lock.lock();
        lease = holdfast.lock("held").acquire();
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
    public void reentry() {
        lock.lock();
        lock.unlock();
    }

    /** {@code Lease.isHeld()}, which code under a lock may ask before every step. */
    @Benchmark
    public boolean isHeld() {
        return lease.isHeld();
    }
}
