// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LostReason;
import java.time.Duration;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** A lease given up whose lock stays taken for a while yet, without anybody who keeps it. */
@NullUnmarked
public abstract class ReleaseAfterContract extends LockContract {
    private static final Duration TTL = Duration.ofMinutes(10);
    /** Longer than a test takes up to the next line, on a busy machine too. */
    private static final Duration WHILE = Duration.ofSeconds(20);

    @Test
    void releaseAfter_keepsEverybodyOutAndEndsByItself() {
        Holdfast other = ready(another());
        Lease lease = locks.tryLock(key, TTL).orElseThrow();

        assertThat(lease.releaseAfter(Duration.ofMillis(600))).isTrue();

        assertThat(lease.isHeld()).as("to its holder it is over").isFalse();
        assertThat(lease.lostReason()).isEmpty();
        assertThat(locks.heldLeases()).isZero();
        assertThat(backdoor.pttl(lockKey())).isLessThanOrEqualTo(600);
        Lease next = other.tryLock(key, TTL, Duration.ofSeconds(15)).orElseThrow();
        assertThat(next.fencingToken()).isGreaterThan(lease.fencingToken());
    }

    @Test
    void releaseAfter_meanwhile_isBusyForAllAlsoInThisProcess() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();
        lease.releaseAfter(WHILE);

        assertThat(locks.tryLock(key, TTL)).isEmpty();
        assertThat(another().tryLock(key, TTL)).isEmpty();
        assertThat(backdoor.get(lockKey())).isEqualTo(lease.token());
    }

    @Test
    void releaseAfter_whileAThreadOfThisProcessWaits_doesNotHandItOver() throws Exception {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();
        Worker<Lease> waiter = Worker.start(
                () -> locks.tryLock(key, TTL, Duration.ofSeconds(15)).orElseThrow());
        eventually().until(() -> locks.waiting().size() == 1);
        long before = System.nanoTime();

        assertThat(lease.releaseAfter(Duration.ofMillis(700))).isTrue();

        waiter.result();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(690));
    }

    @Test
    void releaseAfter_outlivesItsProcess() {
        Holdfast process = another();
        process.tryLock(key, TTL).orElseThrow().releaseAfter(WHILE);

        process.close();

        assertThat(locks.tryLock(key, TTL)).isEmpty();
        assertThat(backdoor.pttl(lockKey())).isBetween(1L, WHILE.toMillis());
    }

    @Test
    void releaseAfter_moreThanIsLeft_doesNotLengthenIt() {
        Lease lease = locks.tryLock(key, WHILE).orElseThrow();

        assertThat(lease.releaseAfter(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();

        assertThat(backdoor.pttl(lockKey())).isBetween(1L, WHILE.toMillis());
    }

    @Test
    void releaseAfter_zero_isARelease() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();

        assertThat(lease.releaseAfter(Duration.ZERO)).isTrue();

        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void releaseAfter_ofALostLease_reportsItAndNeverTouchesTheNext() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();
        backdoor.delete(lockKey());
        Lease next = another().tryLock(key, TTL).orElseThrow();

        assertThat(lease.releaseAfter(Duration.ofMillis(1))).isFalse();

        assertThat(lease.lostReason()).contains(LostReason.GONE);
        assertThat(backdoor.get(lockKey())).isEqualTo(next.token());
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(WHILE.toMillis());
    }

    @Test
    void releaseAfter_andReleaseOnceMore_isFalseAndChangesNothing() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();
        assertThat(lease.releaseAfter(WHILE)).isTrue();

        assertThat(lease.release()).isFalse();
        assertThat(lease.releaseAfter(Duration.ofMillis(1))).isFalse();

        assertThat(backdoor.pttl(lockKey())).isGreaterThan(1_000);
    }

    @Test
    void releaseAfter_ofARenewedLease_isNotRenewedAnyMore() {
        Lease lease = locks.lock(key, options -> options.ttl(TTL).renew(true).renewEvery(Duration.ofMillis(50)))
                .acquire();

        assertThat(lease.releaseAfter(Duration.ofMillis(400))).isTrue();

        eventually().until(() -> !backdoor.exists(lockKey()));
    }

    @Test
    void releaseAfter_ofAnOwner_isRefusedAndTheLeaseStays() {
        Lease lease =
                locks.lock(key, options -> options.ttl(TTL).owner("trace-7")).acquire();

        assertThatIllegalStateException()
                .isThrownBy(() -> lease.releaseAfter(WHILE))
                .withMessageContaining("owner");
        assertThat(lease.isHeld()).isTrue();
    }
}
