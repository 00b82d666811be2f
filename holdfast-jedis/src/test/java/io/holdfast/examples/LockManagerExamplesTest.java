// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockManager;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.spi.RedisAddress;
import io.holdfast.testkit.HoldfastTest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The first document's lock manager: a key, a TTL that must be given, and a handle that only its token can release. */
@HoldfastTest
class LockManagerExamplesTest {

    /** The document's endpoint: one payment per order at a time, anybody else gets 409 at once. */
    private record PaymentController(LockManager locks) {
        int pay(String orderId, Runnable charge) {
            try {
                locks.withLock("order:" + orderId, Duration.ofMillis(15_000), charge);
                return 200;
            } catch (LockNotAcquiredException busy) {
                return 409;
            }
        }
    }

    @Test
    void pay_whileTheSameOrderIsBeingPaid_is409(LockManager locks) {
        PaymentController payments = new PaymentController(locks);

        int first =
                payments.pay("1", () -> assertThat(payments.pay("1", () -> {})).isEqualTo(409));

        assertThat(first).isEqualTo(200);
        assertThat(payments.pay("1", () -> {})).isEqualTo(200);
    }

    @Test
    void tryLock_withAHandle_releasesByToken(LockManager locks) {
        Optional<Lease> lock = locks.tryLock("order:1", Duration.ofSeconds(10));
        assertThat(lock).isPresent();
        try {
            assertThat(lock.get().key()).isEqualTo("order:1");
            assertThat(lock.get().token()).hasSizeGreaterThanOrEqualTo(16);
        } finally {
            assertThat(lock.get().release()).isTrue();
        }
        assertThat(lock.get().release()).as("a late release").isFalse();
    }

    @Test
    void tryLock_waiting_asksEvery50ms(LockManager locks) {
        Lease held = locks.tryLock("order:1", Duration.ofMillis(300)).orElseThrow();

        Optional<Lease> next = locks.tryLock("order:1", Duration.ofSeconds(10), Duration.ofSeconds(20));

        assertThat(next).isPresent();
        assertThat(held.isHeld()).isFalse();
    }

    @Test
    void withLock_givesTheBlocksResultAndLetsItsExceptionThrough(LockManager locks) {
        String receipt = locks.withLock("order:1", Duration.ofSeconds(10), () -> "receipt-1");
        assertThat(receipt).isEqualTo("receipt-1");

        assertThatThrownBy(() -> locks.withLock("order:1", Duration.ofSeconds(10), () -> {
                    throw new IllegalStateException("card declined");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasNoSuppressedExceptions();
        assertThat(locks.inspect("order:1").isHeld()).as("released in finally").isFalse();
    }

    @Test
    void keyPrefix_isAddedBelowTheBusinessKey(RedisAddress address) {
        try (Holdfast locks =
                Holdfast.builder().address(address).keyPrefix("neton").build()) {
            try (Lease lease = locks.tryLock("order:1", Duration.ofSeconds(10)).orElseThrow()) {
                assertThat(lease.key()).isEqualTo("order:1"); // in Redis: neton:lock:order:1
            }
        }
    }

    @Test
    void cacheFill_acrossInstances_loadsOnce(LockManager locks) {
        Map<String, String> cache = new ConcurrentHashMap<>();

        String user = cache.computeIfAbsent(
                "user:7",
                key -> locks.withLock(
                        "cachefill:" + key, Duration.ofSeconds(5), Duration.ofSeconds(5), () -> "loaded"));

        assertThat(user).isEqualTo("loaded");
    }
}
