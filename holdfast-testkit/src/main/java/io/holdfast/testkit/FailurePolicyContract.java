// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.FailurePolicy;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockEvent;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an acquire does when its server, one of the test's own, is down: fail, lock inside the process, or go on. */
@NullUnmarked
public abstract class FailurePolicyContract extends ServerContract {
    private static final Duration TTL = Duration.ofSeconds(10);

    private EventRecorder events;
    private Holdfast watched;

    @BeforeEach
    void openWatched() {
        events = new EventRecorder();
        watched = another(builder -> builder.listener(events));
    }

    @Test
    void fail_isTheDefault() {
        assertThat(LockOptions.defaults().onUnavailable()).isEqualTo(FailurePolicy.FAIL);
        redis().server().kill();

        assertThatThrownBy(() -> lock(FailurePolicy.FAIL).acquire()).isInstanceOf(LockBackendException.class);
        assertThat(events.kinds()).containsExactly("acquireFailed");
    }

    @Test
    void local_givesADegradedLeaseThatSaysSo() {
        redis().server().kill();

        Lease lease = lock(FailurePolicy.LOCAL).acquire();

        assertThat(lease.isDegraded()).isTrue();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.key()).isEqualTo(key);
        assertThatIllegalStateException().isThrownBy(lease::fencingToken).withMessageContaining("degraded");
        assertThat(events.kinds()).containsExactly("acquireFailed", "degraded", "acquired");
        LockEvent degraded = events.of("degraded").get(0);
        assertThat(degraded.key()).isEqualTo(key);
        assertThat(degraded.cause()).isInstanceOf(LockBackendException.class);
        assertThat(events.of("acquired").get(0).fencingToken()).isEmpty();
    }

    @Test
    void local_excludesThreadsOfThisProcessAndNobodyElse() throws Exception {
        redis().server().kill();
        Lease lease = lock(FailurePolicy.LOCAL).acquire();

        assertThat(lock(FailurePolicy.LOCAL).tryAcquire()).isEmpty();
        assertThat(Worker.start(() -> lock(FailurePolicy.LOCAL).tryLock()).result())
                .isFalse();
        Optional<Lease> elsewhere = another()
                .lock(key, options -> options.ttl(TTL).onUnavailable(FailurePolicy.LOCAL))
                .tryAcquire();
        assertThat(elsewhere).isPresent();

        assertThat(lease.release()).isTrue();
        assertThat(lock(FailurePolicy.LOCAL).tryAcquire()).isPresent();
    }

    @Test
    void local_waitsForTheOtherThread() throws Exception {
        Holdfast process = open(redis().holdfast(redis().address().withTimeout(Duration.ofMillis(300)))
                .listener(events)
                .closeWait(Duration.ZERO));
        DistributedLock lock = process.lock(key, options -> options.ttl(TTL).onUnavailable(FailurePolicy.LOCAL));
        redis().server().kill();
        Lease lease = lock.acquire();
        Worker<Lease> waiter = Worker.start(() -> lock.acquire(Duration.ofMinutes(1)));
        eventually().until(() -> events.of("degraded").size() == 2);
        assertThat(waiter.isDone()).isFalse();

        lease.release();

        assertThat(waiter.result().isDegraded()).isTrue();
    }

    @Test
    void policy_withoutALimitOnTheWait_appliesOnceACommandTimeoutHasPassed() throws Exception {
        Holdfast impatient = impatient(Duration.ofMillis(300));
        redis().server().kill();

        assertThat(Worker.start(() -> {
                            DistributedLock lock =
                                    impatient.lock(key, options -> options.onUnavailable(FailurePolicy.LOCAL));
                            lock.lock();
                            return lock.currentLease().orElseThrow().isDegraded();
                        })
                        .result())
                .isTrue();
    }

    @Test
    void local_leaseEndsLikeAnyOther() {
        redis().server().kill();
        List<LostReason> told = new CopyOnWriteArrayList<>();
        Lease lease = watched.lock(
                        key, options -> options.ttl(Duration.ofMillis(100)).onUnavailable(FailurePolicy.LOCAL))
                .acquire();
        lease.onLost(told::add);

        eventually().until(() -> !told.isEmpty());
        assertThat(told).containsExactly(LostReason.EXPIRED);
        assertThat(lease.release()).isFalse();
    }

    @Test
    void local_threadLock_isReentrantAndReleased() {
        redis().server().kill();
        DistributedLock lock = lock(FailurePolicy.LOCAL);

        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.currentLease().orElseThrow().isDegraded()).isTrue();
        lock.unlock();
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    @Test
    void proceed_excludesNobody() {
        redis().server().kill();

        Lease first = lock(FailurePolicy.PROCEED).acquire();
        Lease second = lock(FailurePolicy.PROCEED).acquire();

        assertThat(List.of(first, second)).allMatch(Lease::isDegraded).allMatch(Lease::isHeld);
        assertThatIllegalStateException().isThrownBy(first::fencingToken);
        assertThat(events.of("degraded")).hasSize(2);
        assertThat(first.release()).isTrue();
        assertThat(second.isHeld()).isTrue();
        String result = lock(FailurePolicy.PROCEED).withLock(() -> "ran");
        assertThat(result).isEqualTo("ran");
    }

    @Test
    void policy_isNotForABusyLock() {
        assertThat(another().tryLock(key, TTL)).isPresent();

        assertThat(lock(FailurePolicy.PROCEED).tryAcquire()).isEmpty();
        assertThat(lock(FailurePolicy.LOCAL).tryAcquire()).isEmpty();
        assertThat(events.kinds()).containsOnly("timedOut");
    }

    @Test
    void policy_isNotForAMissingPermission() {
        redis().raw().call("ACL", "SETUSER", "default", "-@all", "+ping");
        assertThatThrownBy(() -> lock(FailurePolicy.PROCEED).acquire())
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("NOPERM");
        assertThat(events.kinds()).containsOnly("acquireFailed");
    }

    @Test
    void policy_isNotForAWrongPassword() {
        redis().raw().call("CONFIG", "SET", "requirepass", "secret");
        Holdfast stranger = open(redis().holdfast(redis().address().withPassword("wrong"))
                .listener(events)
                .closeWait(Duration.ZERO));
        assertThatThrownBy(() -> stranger.lock(key, options -> options.onUnavailable(FailurePolicy.LOCAL))
                        .acquire())
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("WRONGPASS");
        assertThat(events.kinds()).containsOnly("acquireFailed");
    }

    @Test
    void policy_serverUp_isALockLikeAnyOther() {
        Lease lease = lock(FailurePolicy.PROCEED).acquire();

        assertThat(lease.isDegraded()).isFalse();
        assertThat(lease.fencingToken()).isPositive();
        assertThat(lock(FailurePolicy.PROCEED).tryAcquire()).isEmpty();
    }

    @Test
    void policy_isForAcquireOnly() {
        Lease lease = lock(FailurePolicy.PROCEED).acquire();
        redis().server().kill();

        assertThatThrownBy(lease::release).isInstanceOf(LockBackendException.class);
        assertThat(events.kinds()).containsExactly("acquired", "releaseFailed");
    }

    @Test
    void limit_coversADegradedLeaseFromTheFirstTryOn() {
        redis().server().kill();
        long start = System.nanoTime();
        Lease lease = watched.lock(
                        key,
                        options -> options.ttl(TTL)
                                .wait(Duration.ofMillis(300))
                                .limit(Duration.ofMillis(900))
                                .onUnavailable(FailurePolicy.LOCAL))
                .acquire();
        long granted = System.nanoTime() - start;

        assertThat(lease.remaining())
                .isLessThanOrEqualTo(Duration.ofMillis(900).minusNanos(granted).plusMillis(100));
        eventually().until(() -> !lease.isHeld());
        assertThat(lease.lostReason()).contains(LostReason.MAX_HOLD);
    }

    private DistributedLock lock(FailurePolicy policy) {
        return watched.lock(key, options -> options.ttl(TTL).onUnavailable(policy));
    }
}
