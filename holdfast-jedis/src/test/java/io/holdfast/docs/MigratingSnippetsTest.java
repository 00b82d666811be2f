// SPDX-License-Identifier: Apache-2.0
package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.FailurePolicy;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.LockOptions;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.testkit.RawRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisPool;

/** Our side of the tables of docs/migrating.md for the five documents. {@link DocsSnippetsTest} compares the two. */
class MigratingSnippetsTest extends SnippetServer {
    private final List<Integer> paid = new ArrayList<>();

    private void pay(int order) {
        paid.add(order);
    }

    private String receiptFor(int order) {
        return "receipt " + order;
    }

    // ---- 000

    @Test
    void document000_tryLock() {
        Optional<Lease> first = locks.tryLock("order:1", Duration.ofSeconds(10));
        Lease lease = first.orElseThrow();
        assertThat(lease.key()).isEqualTo("order:1");
        assertThat(lease.token()).hasSizeGreaterThan(34);
        assertThat(lease.release()).isTrue();

        Optional<Lease> second = locks.tryLock("order:1", Duration.ofSeconds(10), Duration.ofSeconds(2));
        assertThat(second.orElseThrow().release()).isTrue();
        Optional<Lease> third =
                locks.tryLock("order:1", Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofMillis(50));
        assertThat(third.orElseThrow().release()).isTrue();
    }

    @Test
    void document000_withLock() {
        locks.withLock("order:1", Duration.ofSeconds(10), () -> pay(1));
        locks.withLock("order:1", Duration.ofSeconds(10), Duration.ofSeconds(2), () -> pay(1));
        locks.withLock("order:1", Duration.ofSeconds(10), Duration.ofSeconds(2), Duration.ofMillis(50), () -> pay(1));
        String receipt = locks.withLock("order:1", Duration.ofSeconds(10), () -> receiptFor(1));

        assertThat(paid).hasSize(3);
        assertThat(receipt).isEqualTo("receipt 1");
    }

    @Test
    void document000_exception() {
        assertThat(locks.tryLock("order:1", Duration.ofSeconds(10))).isPresent();

        assertThatThrownBy(() -> locks.withLock("order:1", Duration.ofSeconds(10), () -> pay(1)))
                .isInstanceOfSatisfying(LockNotAcquiredException.class, busy -> {
                    assertThat(busy.key()).isEqualTo("order:1");
                    assertThat(busy.holder()).isPresent();
                    assertThat(busy.holderTtl()).isPresent();
                });
    }

    @Test
    void document000_prefix() {
        try (Holdfast neton = connect(Holdfast.builder().keyPrefix("neton"));
                Holdfast bare = connect(Holdfast.builder().keyPrefix(""));
                RawRedis raw = new RawRedis(redis.host(), redis.port())) {
            Lease prefixed = neton.tryLock("order:1", Duration.ofSeconds(10)).orElseThrow();
            Lease plain = bare.tryLock("order:1", Duration.ofSeconds(10)).orElseThrow();

            assertThat(raw.get("neton:lock:order:1")).isEqualTo(prefixed.token());
            assertThat(raw.get("lock:order:1")).isEqualTo(plain.token());
        }
    }

    // ---- 001

    @Test
    void document001_connect() {
        try (Holdfast local = Holdfast.connect()) {
            assertThat(local).hasToString("Holdfast[redis://localhost:6379]");
        }
        try (JedisConnector connector = JedisConnector.builder()
                        .host("redis.example.com")
                        .port(6379)
                        .password("password")
                        .build();
                JedisConnector patient =
                        JedisConnector.builder().timeout(Duration.ofSeconds(2)).build();
                JedisConnector pooled = JedisConnector.builder()
                        .maxTotal(50)
                        .maxIdle(10)
                        .minIdle(5)
                        .testOnBorrow(true)
                        .build()) {
            assertThat(connector.endpoint()).isEqualTo("redis://redis.example.com:6379");
            assertThat(patient.commandTimeout()).isEqualTo(pooled.commandTimeout());
        }
    }

    @Test
    @SuppressWarnings("deprecation") // Jedis prefers RedisClient; the document has a JedisPool
    void document001_ownPool() {
        try (JedisPool pool = new JedisPool(redis.host(), redis.port())) {
            Holdfast locks =
                    Holdfast.builder().connector(JedisConnector.using(pool)).build();
            Optional<Lease> lease = locks.tryLock("order:1", Duration.ofSeconds(10));
            lease.orElseThrow().release();
            locks.close();

            assertThat(pool.isClosed()).isFalse();
        }
    }

    @Test
    void document001_lock() throws InterruptedException {
        DistributedLock lock = locks.lock("order:12345");
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(lock.name()).isEqualTo("order:12345");
        assertThat(lock.tryLock(5, TimeUnit.SECONDS)).as("re-entry").isTrue();
        lock.unlock();
        assertThat(lock.release()).isTrue();
        assertThat(lock.release()).isFalse();
    }

    @Test
    void document001_ownTtl() {
        DistributedLock renewed =
                locks.lock("task:cleanup", o -> o.ttl(Duration.ofSeconds(10)).renew(true));
        DistributedLock fixed = locks.lock("task:report", o -> o.ttl(Duration.ofSeconds(60)));

        assertThat(renewed.options().renews()).isTrue();
        assertThat(fixed.options().renews()).isFalse();
    }

    @Test
    void document001_prefix() {
        try (Holdfast old = connect(Holdfast.builder().keyPrefix("").lockSegment("distributed_lock"));
                RawRedis raw = new RawRedis(redis.host(), redis.port())) {
            assertThat(old.lock("order:12345").tryLock()).isTrue();
            assertThat(raw.get("distributed_lock:order:12345")).isNotNull();
        }
    }

    // ---- 002

    @Test
    void document002_owner() {
        String requestId = "trace-4711";
        Lease outer = locks.lock("order:42", o -> o.owner(requestId)).acquire();
        Lease inner = locks.lock("order:42", o -> o.owner(requestId)).acquire();

        assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
        assertThat(inner.release()).isTrue();
        assertThat(locks.inspect("order:42").isHeld()).isTrue();
        assertThat(outer.release()).isTrue();
        assertThat(locks.inspect("order:42").isHeld()).isFalse();
    }

    @Test
    void document002_options() {
        LockOptions options = LockOptions.builder()
                .ttl(Duration.ofSeconds(10))
                .renew(true)
                .renewRatio(0.4)
                .build();
        assertThat(options.renewInterval()).isEqualTo(Duration.ofSeconds(4));

        DistributedLock lock = locks.lock("order:42", options);
        Lease lease = lock.acquire();
        assertThat(locks.lock("order:42", o -> o.maxRetries(2)).tryAcquire()).isEmpty();
        assertThat(locks.lock("order:42", o -> o.maxElapsed(Duration.ofMillis(300)))
                        .tryAcquire())
                .isEmpty();
        assertThat(locks.lock("order:42", o -> o.retryInterval(Duration.ofMillis(100)))
                        .tryAcquire())
                .isEmpty();
        lease.onLost(reason -> pay(0));
        assertThat(lease.release()).isTrue();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    // ---- 003

    @Test
    void document003_threeLocks() {
        DistributedLock create = locks.lock(
                "order_create_lock:7",
                o -> o.ttl(Duration.ofSeconds(30)).maxAttempts(3).retryInterval(Duration.ofMillis(100)));
        DistributedLock update = locks.lock(
                "order_update_lock:id:42",
                o -> o.ttl(Duration.ofSeconds(10)).maxAttempts(3).retryInterval(Duration.ofMillis(50)));
        DistributedLock delete = locks.lock(
                "order_delete_lock:42",
                o -> o.ttl(Duration.ofSeconds(15)).maxAttempts(3).retryInterval(Duration.ofMillis(50)));
        for (DistributedLock lock : List.of(create, update, delete)) {
            Optional<Lease> lease = lock.tryAcquire();
            assertThat(lease).isPresent();
            assertThat(locks.inspect(lock.name()).isHeld()).isTrue();
            assertThat(lease.get().release()).isTrue();
        }
    }

    @Test
    void document003_limitsAndPolicies() {
        DistributedLock limited = locks.lock("order:42", o -> o.limit(Duration.ofSeconds(35)));
        DistributedLock local = locks.lock("order:42", o -> o.onUnavailable(FailurePolicy.LOCAL));
        DistributedLock proceeding = locks.lock("order:42", o -> o.onUnavailable(FailurePolicy.PROCEED));

        assertThat(limited.options().limit()).contains(Duration.ofSeconds(35));
        assertThat(local.options().onUnavailable())
                .isNotEqualTo(proceeding.options().onUnavailable());
    }

    @Test
    void document003_listener() {
        List<Duration> holdTimes = new ArrayList<>();
        LockListener counts = new LockListener() {
            @Override
            public void released(LockEvent event) {
                holdTimes.add(event.elapsed());
            }
        };
        try (Holdfast watched = connect(Holdfast.builder().listener(counts))) {
            watched.withLock("listener:1", Duration.ofSeconds(10), () -> pay(1));
        }
        assertThat(holdTimes).hasSize(1);
    }

    // ---- 004

    @Test
    void document004_exactKey() {
        try (Holdfast locks = connect(Holdfast.builder().exactKeys());
                RawRedis raw = new RawRedis(redis.host(), redis.port())) {
            DistributedLock lock = locks.lock(
                    "lock:order:123", o -> o.ttl(Duration.ofSeconds(30)).tolerance(Duration.ofMillis(500)));
            Optional<Lease> lease = lock.tryAcquire();

            assertThat(raw.get("lock:order:123")).isEqualTo(lease.orElseThrow().token());
            assertThat(raw.pttl("lock:order:123")).isGreaterThan(30_000L);
            assertThat(lease.get().release()).isTrue();
            assertThat(lease.get().release()).isFalse();
        }
    }

    @Test
    void document004_reentryWithoutCounting() {
        String id = "0123456789abcdef";
        DistributedLock lock = locks.lock(
                "lock:test", o -> o.ttl(Duration.ofSeconds(10)).owner(id).countHolds(false));
        Lease first = lock.acquire();
        Lease second = lock.acquire();

        assertThat(first.release()).isTrue();
        assertThat(second.release()).isFalse();
    }
}
