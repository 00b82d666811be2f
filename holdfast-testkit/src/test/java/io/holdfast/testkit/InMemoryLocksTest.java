// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.LostReason;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How an application tests what it does when a lock is busy, runs out or is lost: no server, and no machine's speed. */
class InMemoryLocksTest {
    private static final String ORDER = "order:42";
    private static final Duration TTL = Duration.ofSeconds(10);

    private final InMemoryLocks test = InMemoryLocks.frozen();

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void fixedLease_clockBeforeItsEnd_isHeld() {
        Lease lease = test.locks().tryLock(ORDER, TTL).orElseThrow();

        test.clock().advance(Duration.ofSeconds(9));

        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isBetween(Duration.ofMillis(800), Duration.ofSeconds(1));
        assertThat(lease.release()).isTrue();
    }

    @Test
    void fixedLease_clockPastItsEnd_isLostAndTold() {
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        Lease lease = test.locks().tryLock(ORDER, TTL).orElseThrow().onLost(told::add);

        test.clock().advance(TTL);

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LockLostException.class);
        await().untilAsserted(() -> assertThat(told).containsExactly(LostReason.EXPIRED));
        assertThat(lease.release()).isFalse();
    }

    @Test
    void withLock_timeRunsOutInTheBlock_throwsLockLostAfterTheBlock() {
        AtomicBoolean finished = new AtomicBoolean();

        assertThatThrownBy(() -> test.locks().withLock(ORDER, TTL, () -> {
                    test.expire(ORDER);
                    finished.set(true);
                }))
                .isInstanceOfSatisfying(LockLostException.class, lost -> {
                    assertThat(lost.reason()).isEqualTo(LostReason.EXPIRED);
                    assertThat(lost.key()).isEqualTo(ORDER);
                    assertThat(lost.elapsed()).isGreaterThanOrEqualTo(TTL);
                });
        assertThat(finished).isTrue();
        assertThat(test.locks().inspect(ORDER).isHeld()).isFalse();
    }

    @Test
    void withLock_blockThrowsAfterLoss_keepsTheBlocksExceptionAndAttachesTheLoss() {
        assertThatThrownBy(() -> test.locks().withLock(ORDER, TTL, () -> {
                    test.expire(ORDER);
                    throw new IllegalStateException("card declined");
                }))
                .hasMessage("card declined")
                .satisfies(failure ->
                        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(LockLostException.class));
    }

    @Test
    void expire_renewedLease_isLostLikeAHolderThatWasPaused() {
        Lease lease = test.locks().lock(ORDER).acquire();

        test.expire(ORDER);

        assertThat(lease.lostReason()).contains(LostReason.EXPIRED);
        assertThat(test.anotherProcess().tryLock(ORDER, TTL)).isPresent();
    }

    @Test
    void renewedLease_clockMovedInSmallSteps_isStillHeld() {
        Lease lease = test.locks().lock(ORDER).acquire(); // 30 s, renewed every 10 s

        for (int i = 0; i < 12; i++) {
            test.clock().advance(Duration.ofSeconds(10));
            await().until(() -> lease.remaining().compareTo(Duration.ofSeconds(25)) > 0);
        }

        assertThat(lease.release()).isTrue();
    }

    @Test
    void lose_renewedLease_tellsTheHolderThatTheKeyIsGone() {
        Queue<LostReason> told = new ConcurrentLinkedQueue<>();
        Lease lease = test.locks().lock(ORDER).acquire().onLost(told::add);

        test.lose(ORDER);

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lostReason()).contains(LostReason.GONE);
        await().untilAsserted(() -> assertThat(told).containsExactly(LostReason.GONE));
    }

    @Test
    void lose_fixedLease_isSaidByItsRelease() {
        Lease lease = test.locks().tryLock(ORDER, TTL).orElseThrow();

        test.lose(ORDER);

        assertThat(lease.release()).isFalse();
        assertThat(lease.lostReason()).contains(LostReason.GONE);
    }

    @Test
    void lose_inABlock_throwsLockLost() {
        DistributedLock lock = test.locks().lock(ORDER);

        assertThatThrownBy(() -> lock.withLock(() -> test.lose(ORDER)))
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(LostReason.GONE));
    }

    @Test
    void anotherProcess_holdsTheLock_isBusyForThisOne() {
        Lease other = test.anotherProcess().tryLock(ORDER, TTL).orElseThrow();

        assertThat(test.locks().tryLock(ORDER, TTL)).isEmpty();
        assertThatThrownBy(() -> test.locks().withLock(ORDER, TTL, () -> {}))
                .isInstanceOf(LockNotAcquiredException.class);

        assertThat(other.release()).isTrue();
        assertThat(test.locks().tryLock(ORDER, TTL)).isPresent();
    }

    @Test
    void expire_nobodyHolds_isAMistakeInTheTest() {
        assertThatIllegalStateException()
                .isThrownBy(() -> test.expire("order:43"))
                .withMessage("nobody holds lock order:43");
        assertThatIllegalStateException().isThrownBy(() -> test.lose("order:43"));
    }

    @Test
    void expire_keyPrefixOfTheTestsOwn_findsTheLock() {
        try (InMemoryLocks prefixed = InMemoryLocks.create(TestClock.frozen(), builder -> builder.keyPrefix("shop"))) {
            Lease lease = prefixed.locks().tryLock(ORDER, TTL).orElseThrow();
            prefixed.expire(ORDER);
            assertThat(lease.isHeld()).isFalse();
        }
    }

    @Test
    void clock_askedToGoBack_refuses() {
        assertThatThrownBy(() -> test.clock().advance(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("never goes back");
    }

    @Test
    void tickingClock_timedWait_endsByItself() {
        try (InMemoryLocks ticking = InMemoryLocks.create()) {
            assertThat(ticking.anotherProcess().tryLock(ORDER, TTL)).isPresent();

            assertThat(ticking.locks().tryLock(ORDER, TTL, Duration.ofMillis(120)))
                    .isEmpty();
        }
    }
}
