// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockInfo;
import io.holdfast.LockManager;
import io.holdfast.LostReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Re-entry by an owner id, from any thread or process: the third document's lock. Holds are a set, the last one frees. */
@SuppressWarnings("LockNotBeforeTry") // what is held after a failed assertion ends with the test
public abstract class OwnerContract extends LockContract {
    private static final String OWNER = "trace-7f3a";
    private static final Duration TTL = Duration.ofSeconds(10);

    private DistributedLock lockOf(LockManager process, String owner, Duration ttl) {
        return process.lock(key, options -> options.owner(owner).ttl(ttl));
    }

    private Optional<Lease> tryAs(LockManager process, String owner) {
        return lockOf(process, owner, TTL).tryAcquire();
    }

    @Test
    void reentry_fromAnotherThread_sharesTheGrantUntilTheLastRelease() {
        Lease first = tryAs(locks, OWNER).orElseThrow();
        Lease second = CompletableFuture.supplyAsync(() -> tryAs(locks, OWNER).orElseThrow())
                .join();

        assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
        assertThat(first.release()).isTrue();
        assertThat(second.isHeld()).isTrue();
        assertThat(another().tryLock(key, TTL))
                .as("somebody else, before the last release")
                .isEmpty();
        assertThat(second.release()).isTrue();
        assertThat(backdoor.keysContaining(key)).isEmpty();
        assertThat(another().tryLock(key, TTL))
                .as("somebody else, after the last release")
                .isPresent();
    }

    @Test
    void reentry_fromAnotherProcess_sharesTheGrantUntilTheLastRelease() {
        Holdfast other = another(builder -> builder.note("host-b/2"));
        Lease first = tryAs(locks, OWNER).orElseThrow();
        Lease second = tryAs(other, OWNER).orElseThrow();
        Lease third = tryAs(locks, OWNER).orElseThrow();

        assertThat(second.fencingToken()).isEqualTo(first.fencingToken()).isEqualTo(third.fencingToken());
        assertThat(holder().owner()).isEqualTo(OWNER);
        assertThat(holder().holds()).isEqualTo(3);
        assertThat(second.release()).isTrue();
        assertThat(first.release()).isTrue();
        assertThat(holder().holds()).isEqualTo(1);
        assertThat(tryAs(another(), "trace-other")).isEmpty();
        assertThat(third.release()).isTrue();
        assertThat(locks.inspect(key).isHeld()).isFalse();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void reentry_byTheThreadOwnedFace_worksAcrossThreads() throws InterruptedException {
        DistributedLock mine = lockOf(locks, OWNER, TTL);
        mine.lock();
        AtomicReference<Boolean> entered = new AtomicReference<>();
        Thread sameRequest = new Thread(() -> {
            DistributedLock again = lockOf(locks, OWNER, TTL);
            entered.set(again.tryLock());
            again.unlock();
        });
        sameRequest.start();
        sameRequest.join(TimeUnit.SECONDS.toMillis(20));

        assertThat(entered.get()).isTrue();
        assertThat(mine.isHeldByCurrentThread()).isTrue();
        assertThat(backdoor.exists(lockKey()))
                .as("the other thread's unlock was not the last")
                .isTrue();
        mine.unlock();
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    @Test
    void value_withAnOwner_staysARandomTokenThatDoesNotShowTheOwner() {
        Lease first = tryAs(locks, OWNER).orElseThrow();
        assertThat(backdoor.get(lockKey())).isEqualTo(first.token()).doesNotContain(OWNER);
        first.release();
        Lease next = tryAs(locks, OWNER).orElseThrow();
        assertThat(next.token()).isNotEqualTo(first.token());
        assertThat(next.fencingToken()).isGreaterThan(first.fencingToken());
    }

    @Test
    void reentry_withALongerTtl_extendsTheKeyAndWithAShorterOneLeavesIt() {
        lockOf(locks, OWNER, Duration.ofSeconds(5)).acquire();
        lockOf(locks, OWNER, Duration.ofSeconds(60)).acquire();
        assertThat(backdoor.pttl(lockKey())).isBetween(40_000L, 60_000L);

        Lease brief = lockOf(another(), OWNER, Duration.ofSeconds(5)).acquire();
        assertThat(brief.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(5));
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(40_000L);
    }

    @Test
    void reentry_withALongerTtl_isNotCutDownByTheNextContender() {
        Lease brief = lockOf(locks, OWNER, TTL).acquire();
        Lease lasting = lockOf(another(), OWNER, Duration.ofSeconds(60)).acquire();

        assertThat(locks.tryLock(key, TTL)).as("a plain contender").isEmpty();
        assertThat(tryAs(locks, "trace-other")).as("another owner").isEmpty();

        assertThat(lasting.isHeld()).isTrue();
        assertThat(backdoor.pttl(lockKey()))
                .as("what the longer hold counts on")
                .isGreaterThan(40_000L);
        assertThat(brief.release()).isTrue();
        assertThat(lasting.release()).isTrue();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void reentry_byAnotherOwnerOrNone_isRefused() {
        assertThat(tryAs(locks, OWNER)).isPresent();
        assertThat(tryAs(another(), "trace-other")).isEmpty();
        assertThat(another().tryLock(key, TTL)).isEmpty();
        assertThat(locks.tryLock(key, TTL))
                .as("the same process, without the owner")
                .isEmpty();
    }

    @Test
    void owner_whileAPlainLeaseIsHeld_isRefused() {
        Lease plain = locks.tryLock(key, TTL).orElseThrow();
        assertThat(tryAs(locks, OWNER)).isEmpty();
        assertThat(plain.release()).isTrue();
        assertThat(tryAs(locks, OWNER)).isPresent();
    }

    @Test
    void owner_whileALockWithoutTtlStandsThere_isRefused() {
        backdoor.set(lockKey(), "somebody else's", 0);
        assertThat(tryAs(locks, OWNER)).isEmpty();
        assertThat(backdoor.pttl(lockKey())).isEqualTo(-1);
    }

    @Test
    void uncounted_firstRelease_freesAndTheSecondReportsFalse() {
        DistributedLock uncounted =
                locks.lock(key, options -> options.owner(OWNER).ttl(TTL).countHolds(false));
        Lease first = uncounted.acquire();
        Lease second = uncounted.acquire();
        AtomicReference<LostReason> told = new AtomicReference<>();

        assertThat(first.release()).isTrue();
        assertThat(backdoor.keysContaining(key)).isEmpty();
        second.onLost(told::set);
        Lease successor = another().tryLock(key, TTL).orElseThrow();
        assertThat(second.release()).isFalse();
        assertThat(second.lostReason()).contains(LostReason.GONE);
        assertThat(backdoor.get(lockKey())).isEqualTo(successor.token());
    }

    @Test
    void uncounted_otherHoldThatIsRenewed_learnsOfTheFirstReleaseWithinAnInterval() {
        DistributedLock uncounted = locks.lock(
                key,
                options -> options.owner(OWNER)
                        .ttl(TTL)
                        .renew(true)
                        .renewEvery(Duration.ofMillis(200))
                        .countHolds(false));
        Lease first = uncounted.acquire();
        Lease second = uncounted.acquire();
        AtomicReference<LostReason> told = new AtomicReference<>();
        second.onLost(told::set);

        assertThat(first.release()).isTrue();
        eventually().untilAtomic(told, reason -> assertThat(reason).isEqualTo(LostReason.GONE));
        assertThat(second.isHeld()).isFalse();
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    @Test
    void unlock_withoutAHold_isAnErrorAlsoForTheOwner() {
        assertThat(tryAs(another(), OWNER)).isPresent();
        assertThatThrownBy(() -> lockOf(locks, OWNER, TTL).unlock()).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(lockOf(locks, OWNER, TTL).release()).isFalse();
        assertThat(holder().holds()).isEqualTo(1);
    }

    private LockInfo.Holder holder() {
        return Optional.ofNullable(locks.inspect(key).holder()).orElseThrow();
    }
}
