// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.HeldLease;
import io.holdfast.Lease;
import io.holdfast.WaitingAcquire;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What a process can tell of itself: the leases it holds and who waits in it. */
@NullUnmarked
@SuppressWarnings("LockNotBeforeTry") // what is held after a failed assertion ends with the test
public abstract class OversightContract extends LockContract {
    private static final Duration TTL = Duration.ofSeconds(60);

    private DistributedLock labelled() {
        return locks.lock(key, options -> options.ttl(TTL).label("order:{id}"));
    }

    @Test
    void held_aLease_tellsKeyLabelTimesAndFence() {
        Lease lease = labelled().acquire();

        HeldLease seen = only();

        assertThat(seen.key()).isEqualTo(key);
        assertThat(seen.label()).isEqualTo("order:{id}");
        assertThat(seen.heldFor()).isLessThan(TTL);
        assertThat(seen.remaining()).isPositive().isLessThanOrEqualTo(TTL);
        assertThat(seen.fencingToken()).hasValue(lease.fencingToken());
        assertThat(seen.degraded()).isFalse();
        assertThat(seen.renewalFailing()).isFalse();
        assertThat(another().held()).as("another process").isEmpty();
        lease.release();
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void held_withoutFenceAndLabel_hasNone() {
        Lease lease =
                locks.lock(key, options -> options.ttl(TTL).fencing(false)).acquire();

        assertThat(only().label()).isNull();
        assertThat(only().fencingToken()).isEmpty();
        lease.release();
    }

    @Test
    void held_reenteredByItsThread_isOneLease() {
        DistributedLock lock = labelled();
        lock.lock();
        lock.lock();

        assertThat(locks.held()).hasSize(1);
        lock.unlock();
        assertThat(locks.held()).as("one unlock is left").hasSize(1);
        lock.unlock();
        assertThat(locks.held()).isEmpty();
    }

    @Test
    void held_twiceByAnOwner_isTwoLeasesWithOneFence() {
        DistributedLock lock = locks.lock(key, options -> options.ttl(TTL).owner("trace-7"));
        Lease first = lock.acquire();
        lock.acquire();

        assertThat(locks.held())
                .extracting(HeldLease::fencingToken)
                .containsExactly(OptionalLong.of(first.fencingToken()), OptionalLong.of(first.fencingToken()));
    }

    @Test
    void held_keptForTheNextOne_isNobodys() {
        DistributedLock kept =
                locks.lock(key, options -> options.ttl(TTL).renew(true).retain(Duration.ofSeconds(30)));

        eventually()
                .until(
                        () -> { // a process that does not hear of others yet keeps nothing
                            kept.acquire().release();
                            return locks.heldLeases() == 1;
                        });

        assertThat(locks.held()).as("nobody holds it").isEmpty();
        Lease next = kept.acquire();
        assertThat(only().fencingToken()).hasValue(next.fencingToken());
    }

    @Test
    void held_lost_isNotToldAnyMore() {
        Lease lease = labelled().acquire();
        backdoor.delete(lockKey());

        assertThat(lease.renew(TTL)).isFalse();

        assertThat(locks.held()).isEmpty();
    }

    @Test
    void waiting_tellsKeyLabelAndForHowLong() throws Exception {
        Lease holder = another().tryLock(key, TTL).orElseThrow();
        Worker<Boolean> waiter =
                Worker.start(() -> labelled().acquire(Duration.ofSeconds(15)).release());
        eventually().until(() -> locks.waiting().size() == 1);
        pass(Duration.ofMillis(50));

        WaitingAcquire seen = locks.waiting().get(0);
        assertThat(seen.key()).isEqualTo(key);
        assertThat(seen.label()).isEqualTo("order:{id}");
        assertThat(seen.waitingFor()).isBetween(Duration.ofMillis(50), Duration.ofSeconds(15));
        assertThat(locks.held()).isEmpty();

        holder.release();
        assertThat(waiter.result()).isTrue();
        assertThat(locks.waiting()).isEmpty();
    }

    @Test
    void held_passedToAThreadThatWaited_isToldOfThatOne() throws Exception {
        Lease first = labelled().acquire();
        Worker<Lease> second = Worker.start(() -> labelled().acquire(Duration.ofSeconds(15)));
        eventually().until(() -> locks.waiting().size() == 1);
        first.release();
        Lease now = second.result();

        assertThat(only().fencingToken()).hasValue(now.fencingToken());
        assertThat(now.fencingToken()).isGreaterThan(first.fencingToken());
    }

    private HeldLease only() {
        assertThat(locks.held()).hasSize(1);
        return locks.held().get(0);
    }
}
