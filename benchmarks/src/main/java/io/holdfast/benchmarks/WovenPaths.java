// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.Holdfast;
import io.holdfast.Lock;
import io.holdfast.LockManager;
import io.holdfast.Locks;
import io.holdfast.spi.InMemoryBackend;
import io.holdfast.spi.MonotonicClock;
import io.holdfast.spring.EnableLocks;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** What {@link Lock} costs over a {@code withLock} by hand. On a store in memory: a network would drown it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 10, time = 2)
@Measurement(iterations = 9, time = 1)
public class WovenPaths {
    private static final Duration TTL = Duration.ofSeconds(10);

    private final Holdfast locks = Holdfast.builder()
            .backend(new InMemoryBackend(MonotonicClock.SYSTEM))
            .build();
    private final AnnotationConfigApplicationContext spring = new AnnotationConfigApplicationContext();
    private final Orders target = new OrderService();
    private final Orders proxy = Locks.proxy(Orders.class, target, locks);
    private final Orders bean;
    private long id;

    /** With a Spring application of two beans. */
    public WovenPaths() {
        spring.registerBean(LockManager.class, () -> locks);
        spring.register(Application.class, OrderService.class);
        spring.refresh();
        bean = spring.getBean(Orders.class);
    }

    /** Frees all. */
    @TearDown
    public void close() {
        spring.close();
        locks.close();
    }

    /** The block that the others spare the application. */
    @Benchmark
    public long byHand() {
        long order = id++ & 1023;
        return locks.withLock("order:" + order, TTL, () -> target.pay(order));
    }

    /** A bean with Spring's advice. */
    @Benchmark
    public long springBean() {
        return bean.pay(id++ & 1023);
    }

    /** An object behind {@link Locks#proxy}. */
    @Benchmark
    public long proxy() {
        return proxy.pay(id++ & 1023);
    }

    /** What is locked. */
    public interface Orders {
        /** Does next to nothing. */
        long pay(long order);
    }

    /** Locked by annotation. */
    public static class OrderService implements Orders {
        @Override
        @Lock("order:{order}")
        public long pay(long order) {
            return order + 1;
        }
    }

    @EnableLocks
    static class Application {}
}
