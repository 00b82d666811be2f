// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Ten thousand virtual threads take turns at two thousand locks: nobody fails, nothing is lost, nothing stays behind. */
public abstract class VirtualThreadContract {
    private static final int THREADS = 10_000;
    private static final int KEYS = 2_000;
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final Duration WAIT = Duration.ofMinutes(2);
    /** Eight thousand pollers at the usual 50 ms would ask 160,000 times a second. */
    private static final Duration RETRY = Duration.ofMillis(250);

    private final LongAdder lost = new LongAdder();
    private final AtomicIntegerArray inside = new AtomicIntegerArray(KEYS);
    private final LongAdder overlaps = new LongAdder();

    /** A new connector of the kind under test, with a client of its own. */
    protected abstract RedisConnector connect(RedisAddress address);

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with Java 21")
    void tenThousandVirtualThreads_eachTakeAndReleaseALock() throws Throwable {
        EmbeddedRedis server = TestServers.embedded().shared();
        RedisAddress address = RedisAddress.parse(server.uri()).withTimeout(Duration.ofSeconds(10));
        try (Holdfast locks = Holdfast.builder()
                        .connector(connect(address))
                        .keyPrefix("virtual")
                        .listener(new LossCounter())
                        .build();
                RawRedis redis = new RawRedis(server.host(), server.port())) {
            ExecutorService threads = virtualThreads();
            List<Future<Boolean>> results = new ArrayList<>(THREADS);
            for (int i = 0; i < THREADS; i++) {
                int key = i % KEYS;
                results.add(threads.submit(() -> takeAndRelease(locks, key)));
            }
            threads.shutdown();
            for (Future<Boolean> result : results) {
                assertThat(result.get(WAIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            }

            assertThat(overlaps.sum()).as("two at once under one lock").isZero();
            assertThat(lost.sum()).as("leases lost").isZero();
            assertThat(locks.heldLeases()).isZero();
            assertThat(redis.call("KEYS", "virtual:lock:*")).isEqualTo(List.of());
        }
    }

    private boolean takeAndRelease(Holdfast locks, int key) {
        assertThat(isVirtual()).isTrue();
        try (Lease lease = locks.tryLock("order:" + key, TTL, WAIT, RETRY).orElseThrow()) {
            if (inside.incrementAndGet(key) != 1) {
                overlaps.increment();
            }
            LockSupport.parkNanos(1); // let others in if they can
            inside.decrementAndGet(key);
            return lease.release();
        }
    }

    /** By name: this is compiled for Java 17. */
    private static ExecutorService virtualThreads() throws Throwable {
        return (ExecutorService) MethodHandles.publicLookup()
                .findStatic(
                        Executors.class,
                        "newVirtualThreadPerTaskExecutor",
                        MethodType.methodType(ExecutorService.class))
                .invoke();
    }

    private static boolean isVirtual() {
        try {
            return (boolean) MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class))
                    .invoke(Thread.currentThread());
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private final class LossCounter implements LockListener {
        @Override
        public void lost(LockEvent event) {
            lost.increment();
        }
    }
}
