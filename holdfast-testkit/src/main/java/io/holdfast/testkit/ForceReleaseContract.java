// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockInfo;
import io.holdfast.LostReason;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** An operator takes a lock from whoever holds it: only what was seen, and the next in the queue gets it. */
@NullUnmarked
public abstract class ForceReleaseContract extends LockContract {
    /** Longer than any test: whatever is free was freed. */
    private static final Duration TTL = Duration.ofMinutes(10);

    private Holdfast holder() {
        return another(builder -> builder.note("host-a/4711"));
    }

    @Test
    void forceRelease_held_freesTheLockAndSaysWhose() {
        Lease stuck = holder().tryLock(key, TTL).orElseThrow();

        LockInfo.Holder from = locks.forceRelease(key).orElseThrow();

        assertThat(from.note()).isEqualTo("host-a/4711");
        assertThat(from.fencingToken()).hasValue(stuck.fencingToken());
        assertThat(backdoor.keysContaining(key)).isEmpty();
        Lease next = locks.tryLock(key, TTL).orElseThrow();
        assertThat(next.fencingToken())
                .as("so the stale holder's writes are refused")
                .isGreaterThan(stuck.fencingToken());
        assertThat(stuck.release()).as("the former holder").isFalse();
        assertThat(stuck.lostReason()).contains(LostReason.GONE);
        assertThat(backdoor.get(lockKey())).as("its successor's").isEqualTo(next.token());
    }

    @Test
    void forceRelease_free_takesNothing() {
        assertThat(locks.forceRelease(key)).isEmpty();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void forceRelease_ofARenewedLease_isToldToItsHolderAtTheNextRenewal() {
        Lease stuck = holder().lock(key, options -> options.ttl(TTL).renew(true).renewEvery(Duration.ofMillis(200)))
                .acquire();
        AtomicReference<LostReason> told = new AtomicReference<>();
        stuck.onLost(told::set);

        assertThat(locks.forceRelease(key)).isPresent();

        eventually().untilAtomic(told, reason -> assertThat(reason).isEqualTo(LostReason.GONE));
        assertThat(stuck.isHeld()).isFalse();
        assertThat(backdoor.exists(lockKey())).as("nothing brings it back").isFalse();
    }

    @Test
    void forceRelease_ofALeaseOfThisProcess_isToldAtOnce() {
        Lease stuck = locks.tryLock(key, TTL).orElseThrow();

        assertThat(locks.forceRelease(key)).isPresent();

        assertThat(stuck.isHeld()).isFalse();
        assertThat(stuck.lostReason()).contains(LostReason.GONE);
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void forceRelease_ofALockAProcessKeepsForItsNextCaller_makesItLetGo() {
        Holdfast keeper = holder();
        DistributedLock kept =
                keeper.lock(key, options -> options.ttl(TTL).renew(true).retain(Duration.ofMinutes(5)));
        eventually()
                .until(
                        () -> { // a process that does not hear of others yet keeps nothing
                            kept.acquire().release();
                            return keeper.heldLeases() == 1;
                        });

        assertThat(locks.forceRelease(key)).isPresent();

        eventually().until(() -> keeper.heldLeases() == 0);
        assertThat(locks.tryLock(key, TTL)).isPresent();
        assertThat(kept.tryAcquire()).as("what it kept is not handed out").isEmpty();
    }

    @Test
    void forceRelease_waitedFor_passesItOnInTheSameBreath() throws Exception {
        assertThat(holder().tryLock(key, TTL)).isPresent();
        Holdfast next = another(builder -> builder.note("host-b/1"));
        Worker<Lease> waiter = Worker.start(
                () -> next.tryLock(key, TTL, Duration.ofSeconds(15)).orElseThrow());
        eventually().until(() -> locks.inspect(key).waiting().size() == 1);

        assertThat(locks.forceRelease(key)).isPresent();

        LockInfo after = locks.inspect(key);
        assertThat(after.holder()).as("it was never free").isNotNull();
        assertThat(after.holder().note()).isEqualTo("host-b/1");
        Lease theirs = waiter.result();
        assertThat(theirs.isHeld()).isTrue();
        assertThat(backdoor.get(lockKey())).isEqualTo(theirs.token());
    }

    @Test
    void forceRelease_byAThreadOfTheWaitersProcess_passesItOn() throws Exception {
        Lease stuck = locks.tryLock(key, TTL).orElseThrow();
        Worker<Lease> waiter = Worker.start(
                () -> locks.tryLock(key, TTL, Duration.ofSeconds(15)).orElseThrow());
        eventually().until(() -> locks.waiting().size() == 1);

        assertThat(locks.forceRelease(key)).isPresent();

        Lease theirs = waiter.result();
        assertThat(theirs.fencingToken()).isGreaterThan(stuck.fencingToken());
        assertThat(theirs.isHeld()).isTrue();
        assertThat(stuck.isHeld()).isFalse();
        assertThat(backdoor.get(lockKey())).isEqualTo(theirs.token());
    }

    @Test
    void forceRelease_ofAnOwnersLock_endsAllItsHolds() {
        DistributedLock here = locks.lock(key, options -> options.ttl(TTL).owner("trace-7"));
        Lease first = here.acquire();
        Lease second = here.acquire();
        Lease third =
                holder().lock(key, options -> options.ttl(TTL).owner("trace-7")).acquire();

        LockInfo.Holder from = locks.forceRelease(key).orElseThrow();

        assertThat(from.owner()).isEqualTo("trace-7");
        assertThat(from.holds()).isEqualTo(3);
        assertThat(backdoor.keysContaining(key)).as("lock, owner and holds").isEmpty();
        assertThat(first.isHeld()).isFalse();
        assertThat(second.isHeld()).isFalse();
        Lease next = holder().tryLock(key, TTL).orElseThrow();
        assertThat(third.release()).isFalse();
        assertThat(backdoor.get(lockKey())).isEqualTo(next.token());
    }

    @Test
    void forceRelease_ofAnotherGrantThanTheOneLookedAt_takesNothing() {
        long seen = holder().tryLock(key, TTL)
                .map(lease -> {
                    lease.release();
                    return lease.fencingToken();
                })
                .orElseThrow();
        Lease next = holder().tryLock(key, TTL).orElseThrow();

        assertThat(locks.forceRelease(key, seen)).isEmpty();
        assertThat(backdoor.get(lockKey())).isEqualTo(next.token());
        assertThat(locks.forceRelease(key, next.fencingToken())).isPresent();
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    @Test
    void forceRelease_ofAnotherLibrarysLockWithoutTtl_freesIt() {
        backdoor.set(lockKey(), "a forgotten lock", 0);

        assertThat(locks.forceRelease(key).orElseThrow().eternal()).isTrue();

        assertThat(locks.tryLock(key, TTL)).isPresent();
    }

    @Test
    void forceRelease_ofAnUnfencedLock_freesIt() {
        Lease stuck =
                locks.lock(key, options -> options.ttl(TTL).fencing(false)).acquire();

        assertThat(locks.forceRelease(key, 4711)).as("it has no such token").isEmpty();
        assertThat(locks.forceRelease(key)).isPresent();

        assertThat(stuck.isHeld()).isFalse();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void forceRelease_ofAGrantWithoutToken_takesNoOtherGrant() {
        Lease fenced = holder().tryLock(key, TTL).orElseThrow();

        assertThat(locks.forceRelease(key, 0)).as("it has a token").isEmpty();
        assertThat(backdoor.get(lockKey())).isEqualTo(fenced.token());
        fenced.release();
        Lease unfenced =
                holder().lock(key, options -> options.ttl(TTL).fencing(false)).acquire();

        assertThat(locks.forceRelease(key, 1)).as("it has no such token").isEmpty();
        assertThat(backdoor.get(lockKey())).isEqualTo(unfenced.token());
        assertThat(locks.forceRelease(key, 0)).isPresent();
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }
}
