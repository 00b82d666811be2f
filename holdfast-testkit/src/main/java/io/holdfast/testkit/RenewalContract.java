// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.LostReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The watchdog, and what ends it: unlock, loss, the maximum hold, the limit over acquire and block. */
@NullUnmarked
@SuppressWarnings("LockNotBeforeTry") // a test that fails closes the Holdfast, which ends its locks
public abstract class RenewalContract extends LockContract {
    private static final Duration TTL = Duration.ofMillis(600);

    private final List<LostReason> told = new CopyOnWriteArrayList<>();
    private EventRecorder events;
    private Holdfast watched;

    @BeforeEach
    void openWatched() {
        events = new EventRecorder();
        watched = ready(another(builder -> builder.listener(events)));
    }

    @Test
    void watchdog_keepsTheLockBeyondItsTtl() {
        DistributedLock lock = watched.lock(key, options -> options.ttl(TTL).renew(true));
        lock.lock();

        eventually().until(() -> events.of("renewed").size() >= 4); // renewed every third of the TTL: beyond one TTL
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(another().tryLock(key, TTL)).isEmpty();
        assertThat(events.of("renewed").get(3).elapsed())
                .as("the fourth renewal, a third of the TTL after each other")
                .isGreaterThan(TTL);
        lock.unlock();
    }

    @Test
    void watchdog_runsOnADaemonThread() {
        watched.lock(key, options -> options.ttl(TTL).renew(true)).lock();
        eventually().until(() -> !events.of("renewed").isEmpty());

        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().startsWith("holdfast-")))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);
    }

    @Test
    void watchdog_stopsAtUnlock() {
        DistributedLock lock =
                watched.lock(key, options -> options.ttl(Duration.ofMillis(300)).renew(true));
        lock.lock();
        eventually().until(() -> !events.of("renewed").isEmpty());
        lock.unlock();
        int renewed = events.of("renewed").size();

        pass(Duration.ofMillis(300));
        assertThat(events.of("renewed")).hasSizeLessThanOrEqualTo(renewed + 1); // one may have been under way
        assertThat(backdoor.exists(lockKey())).isFalse();
        assertThat(events.kinds()).doesNotContain("lost");
    }

    @Test
    void watchdog_stopsWhenTheLockIsGoneAndTellsTheHolder() {
        Lease lease = watched.lock(key, options -> options.ttl(TTL).renew(true)).acquire();
        lease.onLost(told::add);

        backdoor.set(lockKey(), "the next holder", 10_000);

        eventually().until(() -> !told.isEmpty());
        assertThat(told).containsExactly(LostReason.GONE);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lostReason()).contains(LostReason.GONE);
        assertThat(events.of("lost")).hasSize(1);
        assertThat(backdoor.get(lockKey())).isEqualTo("the next holder");
        assertThat(backdoor.pttl(lockKey())).as("nobody renews it for another").isBetween(1L, 10_000L);
    }

    @Test
    void watchdog_neverTakesALostLockBack() {
        Lease lease = watched.lock(key, options -> options.ttl(TTL).renew(true)).acquire();
        backdoor.delete(lockKey());

        eventually().until(() -> !lease.isHeld());
        pass(Duration.ofMillis(300));
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    /**
     * The process goes by a clock that is moved by hand, to a millisecond before its TTL ends; for the store hardly any of the
     * minute has passed. So however late a busy machine runs the callback, the key is there, and it is the clock that told.
     */
    @Test
    void fixedLease_isNotRenewedAndTheHolderIsToldBeforeTheKeyEnds() {
        Duration ttl = Duration.ofMinutes(1);
        TestClock clock = TestClock.frozen();
        Lease lease = another(builder -> builder.listener(events).clock(clock))
                .lock(key, options -> options.ttl(ttl))
                .acquire();
        List<Boolean> keyWasThere = new CopyOnWriteArrayList<>();
        lease.onLost(reason -> {
            keyWasThere.add(backdoor.exists(lockKey()));
            told.add(reason);
        });

        Duration most = ttl.multipliedBy(9).dividedBy(10);
        clock.advance(most);
        assertThat(lease.isHeld()).as("not given up early").isTrue();
        clock.advance(ttl.minus(most).minusMillis(1));

        eventually().until(() -> !told.isEmpty());
        assertThat(told).containsExactly(LostReason.EXPIRED);
        assertThat(keyWasThere).as("told while the key lives").containsExactly(true);
        assertThat(lease.isHeld()).isFalse();
        assertThat(events.kinds()).doesNotContain("renewed");
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lease::ensureHeld)
                .withMessageContaining(key);
    }

    @Test
    void fixedLease_isToldByItselfAndItsKeyEnds() {
        watched.lock(key, options -> options.ttl(TTL)).acquire().onLost(told::add);

        eventually().until(() -> !told.isEmpty());
        assertThat(told).containsExactly(LostReason.EXPIRED);
        eventually().until(() -> !backdoor.exists(lockKey()));
    }

    @Test
    void onLost_afterTheLoss_firesAtOnce_andNeverAfterARelease() {
        Lease lost = watched.lock(key, options -> options.ttl(Duration.ofMillis(100)))
                .acquire();
        eventually().until(() -> !lost.isHeld());
        lost.onLost(told::add);
        eventually().until(() -> told.size() == 1);

        Lease released = watched.lock(key, options -> options.ttl(Duration.ofMillis(100)))
                .acquire(Duration.ofSeconds(5));
        released.onLost(told::add);
        assertThat(released.release()).isTrue();
        pass(Duration.ofMillis(200));
        assertThat(told).hasSize(1);
    }

    @Test
    void renew_byHand_extends() {
        Lease lease = watched.lock(
                        key, options -> options.ttl(Duration.ofSeconds(1)).maxTtl(Duration.ofSeconds(10)))
                .acquire();

        assertThat(lease.renew(Duration.ofSeconds(10))).isTrue();

        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(2));
        assertThat(backdoor.pttl(lockKey())).isBetween(2_000L, 10_000L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lease.renew(Duration.ofSeconds(11)))
                .withMessageContaining("maxTtl");
    }

    @Test
    void renew_shorter_cutsWhatTheHolderCountsOnAndNeverTheKey() {
        Lease lease = watched.lock(key, options -> options.ttl(Duration.ofSeconds(10)))
                .acquire();

        assertThat(lease.renew(Duration.ofMillis(300))).isTrue();

        assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofMillis(300));
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(1_000L);
    }

    @Test
    void renew_ofALostOrReleasedLease_isFalse() {
        Lease gone = watched.lock(key, options -> options.ttl(Duration.ofSeconds(10)))
                .acquire();
        backdoor.delete(lockKey());
        assertThat(gone.renew(Duration.ofSeconds(10))).isFalse();
        assertThat(gone.lostReason()).contains(LostReason.GONE);
        assertThat(backdoor.exists(lockKey())).as("renewing never takes a lock").isFalse();

        Lease released = watched.lock(key, options -> options.ttl(Duration.ofSeconds(10)))
                .acquire();
        released.release();
        assertThat(released.renew(Duration.ofSeconds(10))).isFalse();
    }

    @Test
    void maxHold_endsARenewedLease() {
        Lease lease = watched.lock(
                        key,
                        options ->
                                options.ttl(Duration.ofMillis(300)).renew(true).maxHold(Duration.ofMillis(700)))
                .acquire();
        lease.onLost(told::add);

        eventually().until(() -> !told.isEmpty());
        assertThat(told).containsExactly(LostReason.MAX_HOLD);
        assertThat(events.of("renewed")).isNotEmpty();
        assertThat(events.of("lost").get(0).elapsed()).isBetween(Duration.ofMillis(690), Duration.ofSeconds(5));
        eventually().until(() -> !backdoor.exists(lockKey()));
    }

    @Test
    void limit_coversAcquireAndBlock() {
        backdoor.set(lockKey(), "another library", 300);
        DistributedLock lock = watched.lock(
                key,
                options -> options.ttl(Duration.ofSeconds(20))
                        .limit(Duration.ofMillis(800))
                        .wait(Duration.ofSeconds(10)));
        Lease lease = lock.acquire();
        lease.onLost(told::add);

        assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofMillis(500));
        eventually().until(() -> !told.isEmpty());
        assertThat(told).containsExactly(LostReason.MAX_HOLD);
        assertThat(lease.release()).as("past the limit it is lost to the block").isFalse();
        eventually()
                .untilAsserted(() -> assertThat(backdoor.keysContaining(key))
                        .as("but the next holder need not wait for its TTL")
                        .isEmpty());
    }

    @Test
    void limit_alsoEndsTheWait() {
        assertThat(another().tryLock(key, Duration.ofSeconds(20))).isPresent();

        assertThat(watched.lock(
                                key,
                                options -> options.limit(Duration.ofMillis(200)).wait(Duration.ofMinutes(1)))
                        .tryAcquire())
                .isEmpty();
    }

    @Test
    void limit_pastInABlock_throwsLost() {
        DistributedLock lock =
                watched.lock(key, options -> options.ttl(Duration.ofSeconds(20)).limit(Duration.ofMillis(200)));

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> lock.withLock(
                        () -> eventually().until(() -> events.kinds().contains("lost"))))
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LostReason.MAX_HOLD));
    }
}
