// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.spi.RedisAddress;
import io.holdfast.testkit.HoldfastTest;
import io.holdfast.testkit.RawRedis;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The fifth document's three examples: basic use, re-entry, several processes. */
@HoldfastTest
class StockLockExamplesTest {

    @Test
    void example1_basicUse(Holdfast locks, RedisAddress address) {
        DistributedLock lock = locks.lock("order:123", o -> o.ttl(Duration.ofSeconds(30)));

        try (Lease lease = lock.acquire();
                RawRedis redis = new RawRedis(address.host(), address.port())) {
            assertThat(redis.get("holdfast:lock:order:123")).isEqualTo(lease.token());
            assertThat(redis.pttl("holdfast:lock:order:123")).isBetween(1L, 30_000L);
        }

        assertThat(locks.inspect("order:123").isHeld()).isFalse();
    }

    /** The same id acquires twice and the first release frees, as there; without countHolds(false) the last one does. */
    @Test
    void example2_reentry(Holdfast locks) {
        DistributedLock lock = locks.lock(
                "test", o -> o.ttl(Duration.ofSeconds(10)).owner("abc123").countHolds(false));
        Lease first = lock.acquire();
        Lease second = lock.acquire(); // renews, does not block

        assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
        assertThat(first.release()).isTrue();
        assertThat(locks.inspect("test").isHeld()).isFalse();
        assertThat(second.release()).as("the lock is no longer there").isFalse();
    }

    @Test
    void example3_twoProcesses(Holdfast processA, RedisAddress address) {
        try (Holdfast processB = Holdfast.builder().address(address).build()) {
            DistributedLock lockA = processA.lock("stock:product:1001", o -> o.ttl(Duration.ofSeconds(10)));
            DistributedLock lockB = processB.lock("stock:product:1001", o -> o.ttl(Duration.ofSeconds(10)));

            assertThat(lockA.tryLock()).isTrue();
            assertThat(lockB.tryLock()).isFalse();
            lockA.unlock();
            assertThat(lockB.tryLock()).isTrue();
            lockB.unlock();
        }
    }

    /** The document's PX is ttl + tolerance: the key lives longer than the holder counts on it. */
    @Test
    void tolerance_keyOutlivesTheLease(Holdfast locks, RedisAddress address) {
        DistributedLock lock =
                locks.lock("test", o -> o.ttl(Duration.ofSeconds(10)).tolerance(Duration.ofMillis(500)));

        try (Lease lease = lock.acquire();
                RawRedis redis = new RawRedis(address.host(), address.port())) {
            assertThat(lease.remaining()).isLessThan(Duration.ofSeconds(10));
            assertThat(redis.pttl("holdfast:lock:test"))
                    .isGreaterThan(lease.remaining().toMillis() + 500);
        }
    }
}
