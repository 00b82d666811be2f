// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.DistributedLock;
import io.holdfast.FailurePolicy;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LostReason;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How an application tests what it does when Redis is down or silent. */
class BackendFaultsTest {
    private static final String ORDER = "order:42";
    private static final Duration TTL = Duration.ofSeconds(10);

    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private final InMemoryLocks test =
            InMemoryLocks.create(TestClock.frozen(), builder -> builder.listener(new Recorder()));

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void failBackend_acquire_throwsBackendNotBusy() {
        test.failBackend();

        assertThatThrownBy(() -> test.locks().tryLock(ORDER, TTL))
                .isInstanceOfSatisfying(LockBackendException.class, down -> {
                    assertThat(down.isUnavailable()).isTrue();
                    assertThat(down.key()).isEqualTo(ORDER);
                });
        assertThatThrownBy(() -> test.locks().inspect(ORDER)).isInstanceOf(LockBackendException.class);

        test.healBackend();
        assertThat(test.locks().tryLock(ORDER, TTL)).isPresent();
    }

    @Test
    void failBackend_serverError_isNotAnOutage() {
        test.failBackend("NOAUTH Authentication required.");

        assertThatThrownBy(() -> test.locks().tryLock(ORDER, TTL))
                .isInstanceOfSatisfying(
                        LockBackendException.class,
                        refused -> assertThat(refused.isUnavailable()).isFalse())
                .hasMessageContaining("password");
    }

    @Test
    void failBackend_localPolicy_givesADegradedLeaseThatExcludesThisProcessOnly() {
        DistributedLock lock = test.locks().lock(ORDER, options -> options.onUnavailable(FailurePolicy.LOCAL));
        test.failBackend();

        Lease lease = lock.acquire();

        assertThat(lease.isDegraded()).isTrue();
        assertThatThrownBy(lease::fencingToken)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("degraded");
        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(events).contains("degraded " + ORDER);
        assertThat(lease.release()).isTrue();
    }

    @Test
    void failBackend_proceedPolicy_letsEverybodyGoOn() {
        DistributedLock lock = test.locks().lock(ORDER, options -> options.onUnavailable(FailurePolicy.PROCEED));
        test.failBackend();

        assertThat(lock.acquire().isDegraded()).isTrue();
        assertThat(lock.acquire().isDegraded()).isTrue();
    }

    @Test
    void failBackend_renewal_keepsTheLeaseToItsEndAndThenLosesIt() {
        Lease lease = test.locks().lock(ORDER).acquire();
        test.failBackend(Verb.RENEW);

        test.clock().advance(Duration.ofSeconds(10));
        await().until(() -> events.contains("renewalFailed " + ORDER));
        assertThat(lease.isHeld()).isTrue();

        test.clock().advance(Duration.ofSeconds(20));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lostReason()).contains(LostReason.EXPIRED);
    }

    @Test
    void failBackend_renewalHealedInTime_keepsTheLease() {
        Lease lease = test.locks().lock(ORDER).acquire();
        test.failBackend(Verb.RENEW);
        test.clock().advance(Duration.ofSeconds(10));
        await().until(() -> events.contains("renewalFailed " + ORDER));

        test.healBackend();
        test.clock().advance(Duration.ofSeconds(10));

        await().until(() -> events.contains("renewed " + ORDER));
        assertThat(lease.release()).isTrue();
    }

    @Test
    void failBackend_release_isReportedAndDoesNotHideTheBlocksResult() throws Exception {
        int result = test.locks().withLock(ORDER, TTL, () -> {
            test.failBackend(Verb.RELEASE);
            return 7;
        });

        assertThat(result).isEqualTo(7);
        assertThat(events).contains("releaseFailed " + ORDER);
    }

    @Test
    void failBackend_releaseOfALease_throws() {
        Lease lease = test.locks().tryLock(ORDER, TTL).orElseThrow();
        test.failBackend(Verb.RELEASE);

        assertThatThrownBy(lease::release).isInstanceOf(LockBackendException.class);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void hangBackend_acquire_failsOnceItsTimeIsUpAndTakesNothingLate() {
        test.hangBackend(Verb.ACQUIRE); // so the clean-up overtakes it
        CompletableFuture<Lease> acquire = test.locks().lock(ORDER).acquireAsync();
        assertThat(acquire).isNotDone();

        test.clock().advance(Duration.ofSeconds(2));
        assertThat(acquire)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(LockBackendException.class);
        test.healBackend(); // now the acquire arrives, late

        AtomicInteger seconds = new AtomicInteger();
        await().until(() -> {
            if (seconds.getAndIncrement() < 10) { // long before its own 30 s are over
                test.clock().advance(Duration.ofSeconds(1));
            }
            return !test.locks().inspect(ORDER).isHeld();
        });
    }

    @Test
    void hangBackend_healedInTime_grants() {
        test.hangBackend(Verb.ACQUIRE);
        CompletableFuture<Lease> acquire = test.locks().lock(ORDER).acquireAsync();

        test.healBackend();

        assertThat(acquire.join().isHeld()).isTrue();
    }

    @Test
    void hangBackend_renewal_leavesTimeForAnother() {
        Lease lease = test.locks()
                .lock(ORDER, options -> options.ttl(Duration.ofSeconds(3)).renew(true))
                .acquire();
        test.hangBackend(Verb.RENEW);

        await().until(() -> {
            test.clock().advance(Duration.ofMillis(100));
            return events.contains("renewalFailed " + ORDER) || !lease.isHeld();
        });
        assertThat(lease.isHeld()).as("given up while the lease can be saved").isTrue();
    }

    private final class Recorder implements LockListener {
        @Override
        public void degraded(LockEvent event) {
            events.add("degraded " + event.key());
        }

        @Override
        public void renewed(LockEvent event) {
            events.add("renewed " + event.key());
        }

        @Override
        public void renewalFailed(LockEvent event) {
            events.add("renewalFailed " + event.key());
        }

        @Override
        public void releaseFailed(LockEvent event) {
            events.add("releaseFailed " + event.key());
        }
    }
}
