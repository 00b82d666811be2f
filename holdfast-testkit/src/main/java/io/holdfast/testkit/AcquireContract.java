// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockNotAcquiredException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Taking and giving back a lock with a fixed lease: the first document's {@code LockManager}. */
public abstract class AcquireContract extends LockContract {
    private static final Duration TTL = Duration.ofSeconds(10);

    @Test
    void tryLock_free_grantsALeaseWhoseTokenIsTheValueInTheStore() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();

        assertThat(lease.key()).isEqualTo(key);
        assertThat(lease.isHeld()).isTrue();
        assertThat(backdoor.get(lockKey())).isEqualTo(lease.token());
        assertThat(backdoor.pttl(lockKey())).isBetween(1L, TTL.toMillis());
    }

    @Test
    void tryLock_heldByAnother_isEmptyAtOnce() {
        Optional<Lease> first = locks.tryLock(key, TTL);
        assertThat(first).isPresent();

        assertThat(another().tryLock(key, TTL)).isEmpty();
    }

    @Test
    void release_mine_freesTheLockAndLeavesNothingBehind() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();

        assertThat(lease.release()).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(backdoor.keysContaining(key)).isEmpty();
        assertThat(lease.release()).as("a second release").isFalse();
    }

    @Test
    void release_afterAnotherTookOver_reportsFalseAndLeavesTheOther() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();
        backdoor.delete(lockKey());
        Lease successor = another().tryLock(key, TTL).orElseThrow();

        assertThat(lease.release()).isFalse();
        assertThat(backdoor.get(lockKey())).isEqualTo(successor.token());
    }

    @Test
    void withLock_heldByAnother_throwsWhoHoldsItAndForHowLong() {
        assertThat(another(builder -> builder.note("host-a/4711")).tryLock(key, TTL))
                .isPresent();

        assertThatThrownBy(() -> locks.withLock(key, TTL, () -> {}))
                .isInstanceOfSatisfying(LockNotAcquiredException.class, busy -> {
                    assertThat(busy).hasMessageStartingWith("Lock not acquired").hasNoCause();
                    assertThat(busy.key()).isEqualTo(key);
                    assertThat(busy.holder()).contains("host-a/4711");
                    assertThat(busy.holderTtl().orElseThrow()).isBetween(Duration.ofMillis(1), TTL);
                });
    }
}
