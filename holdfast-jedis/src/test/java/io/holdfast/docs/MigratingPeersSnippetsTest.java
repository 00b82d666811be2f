// SPDX-License-Identifier: Apache-2.0
package io.holdfast.docs;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockInfo;
import io.holdfast.LockLostException;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.LockOptions;
import io.holdfast.testkit.RawRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Our side of the tables of docs/migrating.md for other libraries. */
class MigratingPeersSnippetsTest extends SnippetServer {
    private final List<String> ran = new ArrayList<>();

    private void run() {
        ran.add("once");
    }

    // ---- Redisson

    @Test
    void redisson_connect() {
        try (Holdfast own = Holdfast.connect("redis://localhost:6379")) {
            assertThat(own.heldLeases()).isZero();
        }
        try (Holdfast own = Holdfast.builder()
                .defaults(LockOptions.builder()
                        .ttl(Duration.ofSeconds(20))
                        .renew(true)
                        .build())
                .build()) {
            assertThat(own.lock("order:42").options().renews()).isTrue();
        }
    }

    @Test
    void redisson_lock() throws InterruptedException {
        DistributedLock lock = locks.lock("order:42");
        lock.lock();
        lock.lockInterruptibly();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock(5, SECONDS)).isTrue();
        assertThat(lock.holdCount()).isEqualTo(4);
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(locks.inspect("order:42").isHeld()).isTrue();
        long token = lock.currentLease().orElseThrow().fencingToken();
        assertThat(token).isPositive();
        while (lock.holdCount() > 0) {
            lock.unlock();
        }
        assertThat(locks.inspect("order:42").isHeld()).isFalse();
    }

    @Test
    void redisson_lockWithLease() throws InterruptedException {
        locks.lock("order:42", o -> o.ttl(Duration.ofSeconds(10))).lock();
        locks.lock("order:42", o -> o.ttl(Duration.ofSeconds(10))).lockInterruptibly();
        boolean entered =
                locks.lock("order:42", o -> o.ttl(Duration.ofSeconds(10))).tryLock(5, SECONDS);

        assertThat(entered).isTrue();
        assertThat(locks.lock("order:42").holdCount()).isEqualTo(3);
        LockInfo.Holder holder = locks.inspect("order:42").holder();
        assertThat(holder).isNotNull();
        assertThat(holder.ttl()).isLessThanOrEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void redisson_forceUnlock() {
        Lease lease = locks.lock("order:42").acquire();
        Optional<LockInfo.Holder> former = locks.forceRelease("order:42");

        assertThat(former).isPresent();
        assertThat(locks.inspect("order:42").isHeld()).isFalse();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void redisson_fair() {
        DistributedLock lock = locks.lock("order:42", o -> o.fair(true));
        lock.lock();
        assertThat(lock.release()).isTrue();
    }

    @Test
    void redisson_async() {
        DistributedLock lock = locks.lock("order:42", o -> o.wait(Duration.ofSeconds(5)));
        CompletableFuture<Lease> acquired = lock.acquireAsync();
        Lease lease = acquired.join();
        CompletableFuture<Optional<Lease>> tried = locks.lock("order:42").tryAcquireAsync();

        assertThat(lease.remaining()).isPositive();
        assertThat(tried.join()).isEmpty();
        assertThat(lease.releaseAsync().join()).isTrue();
    }

    // ---- Spring Integration

    @Test
    void springIntegration_registry() throws InterruptedException {
        try (Holdfast locks = connect(Holdfast.builder()
                        .keyPrefix("")
                        .lockSegment("registry")
                        .defaults(LockOptions.builder()
                                .ttl(Duration.ofSeconds(60))
                                .build()));
                RawRedis raw = new RawRedis(redis.host(), redis.port())) {
            DistributedLock lock = locks.lock("order:42");
            assertThat(lock.tryLock(5, SECONDS)).isTrue();
            assertThat(raw.get("registry:order:42")).isNotNull();
            lock.unlock();
        }
    }

    @Test
    void springIntegration_executeLocked() {
        locks.lock("order:42", o -> o.wait(Duration.ofSeconds(5))).withLock(() -> run());
        locks.lock("order:42", o -> o.retryInterval(Duration.ofMillis(100))).withLock(() -> run());

        assertThat(ran).hasSize(2);
    }

    // ---- ShedLock

    @Test
    void shedLock_lock() {
        Optional<Lease> lease = locks.tryLock("cleanUp", Duration.ofMinutes(10));
        lease.ifPresent(Lease::release);
        locks.tryLock("cleanUp", Duration.ofMinutes(10)).ifPresent(held -> {
            try (held) {
                run();
            }
        });
        locks.lock("cleanUp").tryAcquire().ifPresent(held -> {
            try (held) {
                run();
            }
        });

        assertThat(ran).hasSize(2);
    }

    @Test
    void shedLock_extend() {
        Lease lease = locks.lock("cleanUp", o -> o.ttl(Duration.ofMinutes(1)).maxTtl(Duration.ofMinutes(10)))
                .acquire();
        assertThat(lease.renew(Duration.ofMinutes(10))).isTrue();
        lease.ensureHeld();
        assertThat(lease.release()).isTrue();
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shedLock_lockAtLeastFor() {
        Lease lease = locks.tryLock("cleanUp", Duration.ofMinutes(10)).orElseThrow();
        assertThat(lease.releaseAfter(Duration.ofMinutes(1))).isTrue();
        assertThat(locks.tryLock("cleanUp", Duration.ofMinutes(10))).isEmpty();
    }

    // ---- Lock4j

    @Test
    void lock4j_template() {
        Optional<Lease> lease = locks.tryLock("order:42", Duration.ofSeconds(30), Duration.ofSeconds(3));
        assertThat(lease.orElseThrow().release()).isTrue();
        Optional<Lease> renewed = locks.lock("order:42").tryAcquire(Duration.ofSeconds(3));
        assertThat(renewed.orElseThrow().release()).isTrue();
    }

    @Test
    void lock4j_failureStrategy() {
        assertThat(locks.tryLock("order:42", Duration.ofSeconds(30))).isPresent();
        try {
            locks.withLock("order:42", Duration.ofSeconds(30), () -> run());
        } catch (LockNotAcquiredException busy) {
            ran.add("busy");
        } catch (LockLostException lost) {
            ran.add("lost");
        }
        assertThat(ran).containsExactly("busy");
    }

    @Test
    void lock4j_prefix() {
        try (Holdfast locks = connect(Holdfast.builder().keyPrefix("").lockSegment("lock4j"));
                RawRedis raw = new RawRedis(redis.host(), redis.port())) {
            assertThat(locks.tryLock("order:42", Duration.ofSeconds(30))).isPresent();
            assertThat(raw.get("lock4j:order:42")).isNotNull();
        }
    }
}
