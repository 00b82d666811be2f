// SPDX-License-Identifier: Apache-2.0
package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.testkit.InMemoryLocks;
import io.holdfast.testkit.TestClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The real engine on a clock moved by hand: times to the second. */
class LockTimesTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final String KEY = "order:42";

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final InMemoryLocks test =
            InMemoryLocks.create(TestClock.frozen(), builder -> builder.listener(new LockMetrics(registry)));

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void acquireAndWait_areFromTheCallAndFromTheFirstRefusal() {
        Lease holder = test.locks().tryLock(KEY, TTL).orElseThrow();
        CompletableFuture<Lease> waiter = test.locks()
                .lock(KEY, options -> options.wait(Duration.ofMinutes(1)))
                .acquireAsync();
        test.clock().advance(Duration.ofSeconds(3));
        holder.release();
        waiter.join();

        assertThat(seconds("holdfast.lock.wait")).isEqualTo(3);
        assertThat(registry.get("holdfast.lock.acquire")
                        .tag("outcome", "acquired")
                        .timer()
                        .totalTime(TimeUnit.SECONDS))
                .isEqualTo(3);
        assertThat(seconds("holdfast.lock.hold")).isEqualTo(3);
    }

    @Test
    void hold_ofAFixedLease_isLongBeyond80PercentOfTheTtl() {
        LockOptions fixed = LockOptions.builder().ttl(TTL).build();

        hold(fixed, Duration.ofSeconds(8));
        assertThat(longHolds()).isZero();
        hold(fixed, Duration.ofMillis(8_001));
        assertThat(longHolds()).isEqualTo(1);
        assertThat(registry.get("holdfast.lock.hold").timer().count()).isEqualTo(2);
    }

    @Test
    void hold_ofARenewedLease_isLongBeyond80PercentOfTheMaximumHold() {
        LockOptions renewed = LockOptions.builder()
                .ttl(TTL)
                .renew(true)
                .renewEvery(TTL.minusMillis(1))
                .build();

        hold(renewed, Duration.ofSeconds(9));
        assertThat(longHolds()).as("renewed without limit").isZero();
        LockOptions limited = renewed.toBuilder().maxHold(Duration.ofSeconds(6)).build();
        hold(limited, Duration.ofSeconds(4));
        assertThat(longHolds()).isZero();
        hold(limited, Duration.ofSeconds(5));
        assertThat(longHolds()).isEqualTo(1);
    }

    @Test
    void expired_isALongHoldAndALoss() {
        assertThat(test.locks().tryLock(KEY, TTL)).isPresent();
        test.expire(KEY);

        assertThat(longHolds()).isEqualTo(1);
        assertThat(lost("expired")).isEqualTo(1);
        assertThat(registry.get("holdfast.lock.hold").timer().count()).isEqualTo(1);
    }

    @Test
    void lost_atTheMaximumHoldOrByClosing_isToldApart() {
        Lease lease = test.locks()
                .lock(KEY, options -> options.ttl(TTL).renew(true).maxHold(Duration.ofSeconds(6)))
                .acquire();
        test.clock().advance(Duration.ofSeconds(6));
        assertThat(lease.isHeld()).isFalse();
        test.locks().lock("order:43").acquire();
        test.close();

        assertThat(lost("max_hold")).isEqualTo(1);
        assertThat(lost("closed")).isEqualTo(1);
        assertThat(registry.get("holdfast.lock.release")
                        .tag("outcome", "lost")
                        .counter()
                        .count())
                .isEqualTo(2);
    }

    private void hold(LockOptions options, Duration time) {
        Lease lease = test.locks().lock(KEY, options).acquire();
        test.clock().advance(time);
        assertThat(lease.release()).isTrue();
    }

    private double longHolds() {
        return registry.get("holdfast.lock.hold.long").counter().count();
    }

    private double lost(String reason) {
        return registry.get("holdfast.lock.lost")
                .tag("reason", reason)
                .counter()
                .count();
    }

    private double seconds(String name) {
        Timer timer = registry.get(name).timer();
        return timer.totalTime(TimeUnit.SECONDS);
    }
}
