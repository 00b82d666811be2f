// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.FailurePolicy;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockManager;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.LockOptions;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.HoldfastTest;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The fourth document's order service: create, update and cancel, each with its own lease, tries and pause. */
@HoldfastTest
class OrderServiceExamplesTest {

    private static final class OrderService {
        private static final LockOptions CREATE = attempts(Duration.ofSeconds(30), Duration.ofMillis(100));
        private static final LockOptions UPDATE = attempts(Duration.ofSeconds(10), Duration.ofMillis(50));
        private static final LockOptions CANCEL = attempts(Duration.ofSeconds(15), Duration.ofMillis(50));

        private final LockManager locks;

        OrderService(LockManager locks) {
            this.locks = locks;
        }

        private static LockOptions attempts(Duration ttl, Duration pause) {
            return LockOptions.builder()
                    .ttl(ttl)
                    .maxAttempts(3)
                    .retryInterval(pause)
                    .build();
        }

        /** Keeps a user from ordering twice with two clicks. */
        String create(long userId, Supplier<String> work) {
            return under(locks.lock("order_create_lock:" + userId, CREATE), work);
        }

        /** By id, or by serial number when a payment call-back knows no more. */
        String update(long id, String serial, Supplier<String> work) {
            String key = id > 0 ? "order_update_lock:id:" + id : "order_update_lock:sn:" + serial;
            return under(locks.lock(key, UPDATE), work);
        }

        String cancel(long id, Supplier<String> work) {
            return under(locks.lock("order_delete_lock:" + id, CANCEL), work);
        }

        private static String under(DistributedLock lock, Supplier<String> work) {
            try {
                return lock.withLock(work::get);
            } catch (LockNotAcquiredException busy) {
                return "ResourceExhausted: in progress, try again in a moment";
            } catch (LockBackendException down) {
                return "Internal: system busy, try again later";
            }
        }
    }

    @Test
    void create_secondClick_isBusyAfterThreeTries(Holdfast locks) {
        OrderService orders = new OrderService(locks);

        String result = orders.create(7, () -> "created; second click: " + orders.create(7, () -> "created"));

        assertThat(result).startsWith("created; second click: ResourceExhausted");
        assertThat(orders.create(7, () -> "created")).as("later").isEqualTo("created");
    }

    @Test
    void update_callBackOfAnotherOrder_isNotHeldUp(Holdfast locks) {
        OrderService orders = new OrderService(locks);

        assertThat(orders.update(1, "", () -> orders.update(0, "SN-2", () -> "both updated")))
                .isEqualTo("both updated");
    }

    @Test
    void cancel_whileUpdating_areDifferentLocks(Holdfast locks) {
        OrderService orders = new OrderService(locks);

        assertThat(orders.update(1, "", () -> orders.cancel(1, () -> "cancelled")))
                .isEqualTo("cancelled");
    }

    @Test
    void redisDown_isAnotherErrorThanBusy(Holdfast locks, EmbeddedRedis server) {
        server.kill();

        assertThat(new OrderService(locks).create(7, () -> "created")).startsWith("Internal");
    }

    @Test
    void redisDown_withAPolicy_goesOnAndSaysSo(Holdfast locks, EmbeddedRedis server) {
        DistributedLock lock = locks.lock("order_create_lock:7", o -> o.onUnavailable(FailurePolicy.LOCAL));
        server.kill();

        try (Lease lease = lock.acquire()) {
            assertThat(lease.isDegraded()).isTrue();
            assertThat(lock.tryAcquire())
                    .as("inside this process it still excludes")
                    .isEmpty();
        }
    }

    @Test
    void oneLimit_overAcquireAndBlock(Holdfast locks) {
        DistributedLock lock = locks.lock("order_create_lock:7", o -> o.limit(Duration.ofSeconds(35)));

        try (Lease lease = lock.acquire()) {
            assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(35));
        }
    }
}
