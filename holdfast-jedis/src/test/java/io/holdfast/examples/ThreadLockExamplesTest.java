// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockLostException;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.HoldfastTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The second document's lock, owned by the thread: basic, timed, own TTL, re-entrant, and what can go wrong. */
@HoldfastTest
class ThreadLockExamplesTest {
    private final List<String> done = new ArrayList<>();

    @Test
    void basic(Holdfast locks) {
        DistributedLock lock = locks.lock("order:12345");

        if (lock.tryLock()) {
            try {
                done.add("processed");
            } finally {
                lock.unlock();
            }
        } else {
            throw new IllegalStateException("somebody else processes this order");
        }

        assertThat(done).containsExactly("processed");
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    @Test
    void timedWait(Holdfast locks) throws InterruptedException {
        DistributedLock lock = locks.lock("inventory:sku001");
        assertThat(locks.tryLock("inventory:sku001", Duration.ofMillis(300)))
                .isPresent(); // somebody who never comes back

        if (lock.tryLock(20, TimeUnit.SECONDS)) {
            try {
                done.add("deducted");
            } finally {
                lock.unlock();
            }
        }

        assertThat(done).containsExactly("deducted");
    }

    @Test
    void ownTtl_withWatchdog_outlivesIt(Holdfast locks) {
        DistributedLock lock =
                locks.lock("task:cleanup", o -> o.ttl(Duration.ofMillis(1500)).renew(true));
        lock.lock();
        Lease lease = lock.currentLease().orElseThrow();

        // Renewed every 500 ms: what is left grows again while the block runs.
        await().until(() -> lease.remaining().toMillis() < 1200);
        await().until(() -> lease.remaining().toMillis() > 1300);

        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
    }

    @Test
    void ownTtl_withoutWatchdog_endsWithIt(Holdfast locks) {
        DistributedLock lock = locks.lock("task:report", o -> o.ttl(Duration.ofMillis(200)));
        lock.lock();

        Lease lease = lock.currentLease().orElseThrow();
        await().until(() -> !lease.isHeld());

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
    }

    /** transfer() calls validate(), and both need the lock. */
    private final class Account {
        private final DistributedLock lock;

        Account(DistributedLock lock) {
            this.lock = lock;
        }

        void transfer() {
            if (lock.tryLock()) {
                try {
                    validate();
                    done.add("executed, " + lock.holdCount() + " deep");
                } finally {
                    lock.unlock();
                }
            }
        }

        private void validate() {
            if (lock.tryLock()) { // no dead lock
                try {
                    done.add("validated, " + lock.holdCount() + " deep");
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    @Test
    void reentrant(Holdfast locks) {
        new Account(locks.lock("account:transfer")).transfer();

        assertThat(done).containsExactly("validated, 2 deep", "executed, 1 deep");
        assertThat(locks.inspect("account:transfer").isHeld()).isFalse();
    }

    @Test
    void errorHandling_tellsBusyDownAndLostApart(Holdfast locks, EmbeddedRedis server) {
        assertThat(payWith(locks)).isEqualTo("paid");

        assertThat(locks.tryLock("order:pay:12345", Duration.ofSeconds(10))).isPresent();
        assertThat(payWith(locks)).isEqualTo("busy");

        server.kill();
        assertThat(payWith(locks)).isEqualTo("Redis is down");
    }

    private String payWith(Holdfast locks) {
        DistributedLock lock = locks.lock("order:pay:12345");
        try {
            if (!lock.tryLock(50, TimeUnit.MILLISECONDS)) {
                return "busy";
            }
            try {
                return "paid";
            } finally {
                lock.unlock(); // throws LockLostException when the lock was lost meanwhile
            }
        } catch (LockBackendException down) {
            return "Redis is down";
        } catch (LockLostException lost) {
            return "lost: check what was done";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }
}
