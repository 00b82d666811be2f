// SPDX-License-Identifier: Apache-2.0
package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.FailurePolicy;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockOptions;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import io.holdfast.testkit.EventRecorder;
import io.holdfast.testkit.HoldfastTest;
import io.holdfast.testkit.RawRedis;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real locks on a real server, and what the registry says afterwards. */
@HoldfastTest
class LockMetricsTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final String LABEL = "order:{id}";
    private static final String KEY = "order:4711";
    private static final LockOptions OPTIONS =
            LockOptions.builder().ttl(TTL).label(LABEL).build();

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final LockMetrics metrics = new LockMetrics(registry);
    private final EventRecorder events = new EventRecorder();
    private Holdfast locks;

    @BeforeEach
    void connect(RedisAddress server) {
        locks = Holdfast.builder()
                .address(server)
                .closeWait(Duration.ZERO)
                .listener(metrics)
                .listener(events)
                .build();
        metrics.bindTo(locks);
    }

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void acquire_granted_isTimedAsAcquired() {
        locks.lock(KEY, OPTIONS).acquire().release();

        assertThat(acquires("acquired")).isEqualTo(1);
        assertThat(registry.get("holdfast.lock.acquire")
                        .tags("lock", LABEL, "outcome", "acquired")
                        .timer()
                        .totalTime(TimeUnit.NANOSECONDS))
                .isPositive();
        assertThat(allAcquires()).isEqualTo(1);
        assertThat(count("holdfast.lock.release", "outcome", "released")).isEqualTo(1);
        assertThat(registry.get("holdfast.lock.hold").timer().count()).isEqualTo(1);
    }

    @Test
    void acquire_refused_isBusy() {
        locks.lock(KEY, OPTIONS).acquire();
        assertThat(locks.lock(KEY, OPTIONS).tryAcquire()).isEmpty();

        assertThat(acquires("busy")).isEqualTo(1);
        assertThat(allAcquires()).isEqualTo(2);
    }

    @Test
    void acquire_serverDown_isFailed(EmbeddedRedis server) {
        server.kill();
        assertThatThrownBy(() -> locks.lock(KEY, OPTIONS).acquire()).isInstanceOf(LockBackendException.class);

        assertThat(acquires("failed")).isEqualTo(1);
        assertThat(allAcquires()).isEqualTo(1);
    }

    @Test
    void acquire_serverDownAndAllowedToGoOn_isDegradedAndNothingElse(EmbeddedRedis server) {
        server.kill();
        LockOptions local = OPTIONS.toBuilder()
                .onUnavailable(FailurePolicy.LOCAL)
                .fencing(false)
                .build();
        Lease lease = locks.lock(KEY, local).acquire();
        assertThat(lease.isDegraded()).isTrue();
        assertThat(locks.lock(KEY, local).tryAcquire()).isEmpty();

        assertThat(acquires("degraded")).isEqualTo(1);
        assertThat(acquires("busy")).isEqualTo(1);
        assertThat(allAcquires()).isEqualTo(2);
    }

    @Test
    void acquire_cancelledWhileItWaits_isAbandoned() {
        locks.lock(KEY, OPTIONS).acquire();
        CompletableFuture<Lease> waiter = locks.lock(KEY, waiting()).acquireAsync();
        await().until(() -> events.kinds().contains("contended"));
        waiter.cancel(false);

        await().untilAsserted(() -> assertThat(acquires("abandoned")).isEqualTo(1));
        assertThat(allAcquires()).isEqualTo(2);
    }

    @Test
    void wait_isTimedOnlyForThoseThatHadTo() {
        Lease holder = locks.lock(KEY, OPTIONS).acquire();
        assertThat(waits()).isZero();
        CompletableFuture<Lease> waiter = locks.lock(KEY, waiting()).acquireAsync();
        await().until(() -> events.kinds().contains("contended"));
        holder.release();
        waiter.join().release();

        assertThat(waits()).isEqualTo(1);
        assertThat(acquires("acquired")).isEqualTo(2);
    }

    @Test
    void lost_toSomebodyWhoDeletedTheKey_isCountedWithItsReason(EmbeddedRedis server) {
        Lease lease = locks.lock(KEY, OPTIONS).acquire();
        try (RawRedis redis = new RawRedis(server.host(), server.port())) {
            redis.call("FLUSHALL");
        }
        assertThat(lease.release()).isFalse();

        assertThat(count("holdfast.lock.lost", "reason", "gone")).isEqualTo(1);
        assertThat(count("holdfast.lock.release", "outcome", "lost")).isEqualTo(1);
        assertThat(registry.get("holdfast.lock.hold").timer().count()).isEqualTo(1);
    }

    @Test
    void release_serverDown_isFailed(EmbeddedRedis server) {
        Lease lease = locks.lock(KEY, OPTIONS).acquire();
        server.kill();
        assertThatThrownBy(lease::release).isInstanceOf(LockBackendException.class);

        assertThat(count("holdfast.lock.release", "outcome", "failed")).isEqualTo(1);
        assertThat(count("holdfast.lock.release", "outcome", "released")).isZero();
    }

    @Test
    void renewal_isCounted() {
        Lease lease = locks.lock(KEY, OPTIONS).acquire();
        assertThat(lease.renew(TTL)).isTrue();

        assertThat(count("holdfast.lock.renewal", "outcome", "renewed")).isEqualTo(1);
    }

    @Test
    void renewal_serverDown_isFailed(EmbeddedRedis server) {
        Lease lease = locks.lock(KEY, OPTIONS).acquire();
        server.kill();
        assertThatThrownBy(() -> lease.renew(TTL)).isInstanceOf(LockBackendException.class);

        assertThat(count("holdfast.lock.renewal", "outcome", "failed")).isEqualTo(1);
    }

    @Test
    void gauges_followWhatIsHeldAndWhoWaits() {
        Lease holder = locks.lock(KEY, OPTIONS).acquire();
        CompletableFuture<Lease> waiter = locks.lock(KEY, waiting()).acquireAsync();
        await().untilAsserted(() -> {
            assertThat(gauge("holdfast.lock.held")).isEqualTo(1);
            assertThat(gauge("holdfast.lock.waiting")).isEqualTo(1);
        });
        holder.release();
        waiter.join().release();

        await().untilAsserted(() -> {
            assertThat(gauge("holdfast.lock.held")).isZero();
            assertThat(gauge("holdfast.lock.waiting")).isZero();
        });
    }

    @Test
    void tags_neverHaveTheKey() {
        locks.lock(KEY, OPTIONS).acquire().release();
        locks.lock(KEY, LockOptions.defaults()).acquire().release();
        locks.withLock(KEY, TTL, () -> {});

        assertThat(registry.getMeters())
                .isNotEmpty()
                .allSatisfy(meter -> assertThat(meter.getId().toString()).doesNotContain("4711"));
        assertThat(registry.getMeters().stream()
                        .map(meter -> meter.getId().getTag("lock"))
                        .filter(Objects::nonNull)
                        .distinct())
                .containsExactlyInAnyOrder(LABEL, LockMetrics.NO_LABEL);
        assertThat(registry.get("holdfast.lock.hold")
                        .tag("lock", LockMetrics.NO_LABEL)
                        .timer()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void meters_haveADescription_andTheGivenTags(RedisAddress server) {
        MeterRegistry another = new SimpleMeterRegistry();
        LockMetrics tagged = new LockMetrics(another, Tags.of("redis", "main"));
        try (Holdfast main = Holdfast.builder().address(server).listener(tagged).build()) {
            tagged.bindTo(main);
            main.withLock(KEY, TTL, () -> {});
        }

        assertThat(another.getMeters())
                .extracting(Meter::getId)
                .filteredOn(id -> id.syntheticAssociation() == null) // buckets, in this registry
                .hasSizeGreaterThan(10)
                .allSatisfy(id -> {
                    assertThat(id.getName()).startsWith("holdfast.lock.");
                    assertThat(id.getDescription()).isNotBlank();
                    assertThat(id.getTags()).contains(Tag.of("redis", "main"));
                });
    }

    private static LockOptions waiting() {
        return OPTIONS.toBuilder().wait(Duration.ofMinutes(1)).build();
    }

    private long acquires(String outcome) {
        return registry.get("holdfast.lock.acquire")
                .tags("lock", LABEL, "outcome", outcome)
                .timer()
                .count();
    }

    private long allAcquires() {
        return registry.get("holdfast.lock.acquire").timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    private long waits() {
        return registry.get("holdfast.lock.wait").tag("lock", LABEL).timer().count();
    }

    private double count(String name, String tag, String value) {
        return registry.get(name).tags("lock", LABEL, tag, value).counter().count();
    }

    private double gauge(String name) {
        return registry.get(name).gauge().value();
    }
}
