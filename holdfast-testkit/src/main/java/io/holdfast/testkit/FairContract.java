// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Strictly fair locks: all threads of all processes in the order in which they arrived at Redis. */
@NullUnmarked
public abstract class FairContract extends WaitingContract {
    private static final Duration SOON = Duration.ofSeconds(10);

    private static void fair(LockOptions.Builder options) {
        options.ttl(TTL).fair(true);
    }

    private DistributedLock lock(Holdfast process) {
        return process.lock(key, FairContract::fair);
    }

    @Test
    void threadsAndProcesses_takeTurnsByArrival() {
        Holdfast one = listener();
        Holdfast two = listener();
        Lease before = lock(one).acquire();
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (Holdfast process : List.of(one, two, two, one, two, one, one)) {
            waiters.add(queue(process, FairContract::fair));
        }
        for (int i = 0; i < waiters.size(); i++) {
            before.release();
            Lease next = granted(waiters.get(i));
            assertThat(next.fencingToken()).isGreaterThan(before.fencingToken());
            assertThat(waiters.subList(i + 1, waiters.size())).noneMatch(CompletableFuture::isDone);
            before = next;
        }
        before.release();
        assertNothingLeft();
    }

    @Test
    void newcomer_neverOvertakesOneThatWaits_evenWhenTheLockIsFree() {
        TamperingConnector deaf = network();
        Holdfast slow = listener(deaf);
        Holdfast other = listener();
        Lease holder = lock(locks).acquire();
        CompletableFuture<Lease> first = queue(slow, FairContract::fair);
        String entry = queued().get(0);
        deaf.subscriptions().delayMessages(ms(250));
        backdoor.delete(lockKey()); // nobody is told

        assertThat(lock(other).tryAcquire()).as("free, but another's turn").isEmpty();

        assertThat(backdoor.get(lockKey())).contains(id(entry));
        CompletableFuture<Lease> second = queue(other, FairContract::fair);
        assertThat(holder.release()).isFalse();
        Lease next = granted(first);
        assertThat(second).isNotDone();
        next.release();
        granted(second);
    }

    @Test
    void newcomerOfTheSameProcess_doesNotOvertakeEither() {
        Holdfast process = listener();
        Lease holder = lock(process).acquire();
        CompletableFuture<Lease> first = queue(process, FairContract::fair);

        assertThat(lock(process).tryAcquire()).isEmpty();
        holder.release();
        assertThat(lock(process).tryAcquire()).isEmpty();

        granted(first);
    }

    @Test
    void headThatDied_isSkipped() {
        Lease holder = lock(locks).acquire();
        CompletableFuture<Lease> alive = queue(listener(), FairContract::fair);
        String entry = queued().get(0);
        raw().call("ZADD", queueKey(), "1", "f" + "d".repeat(34) + entry.substring(35));
        try (Monitor monitor = monitor()) {
            holder.release();

            granted(alive);
            assertThat(toldOfTheirTurn(monitor)).containsExactly("d".repeat(34), id(entry));
        }
    }

    @Test
    void headThatDied_doesNotKeepANewcomerFromAFreeLock() {
        Lease holder = lock(locks).acquire();
        for (int i = 100; i < 164; i++) { // as many as a script skips
            raw().call("ZADD", queueKey(), "1", "f" + ("d" + i).repeat(9).substring(0, 34) + ".30000~gone/1");
        }
        backdoor.delete(lockKey());

        Lease lease = lock(listener()).acquire(SOON);

        assertThat(lease.isHeld()).isTrue();
        assertThat(backdoor.pttl(lockKey())).isGreaterThan(1_000);
        assertThat(queued()).isEmpty();
        assertThat(holder.release()).isFalse();
    }

    @Test
    void moreDeadOnesThanAScriptSkips_letNobodyOvertakeThoseBehindThem() {
        Lease holder = lock(locks).acquire();
        CompletableFuture<Long> alive = queue(listener(), FairContract::fair).thenApply(lease -> {
            lease.release();
            return lease.fencingToken();
        });
        for (int i = 100; i < 250; i++) {
            raw().call("ZADD", queueKey(), "1", "f" + ("d" + i).repeat(9).substring(0, 34) + ".30000~gone/1");
        }
        backdoor.delete(lockKey());

        assertThat(lock(locks).tryAcquire()).isEmpty();
        Lease late = lock(listener()).acquire(SOON);

        late.release();
        assertThat(alive)
                .succeedsWithin(SOON)
                .satisfies(fence -> assertThat(fence).isLessThan(late.fencingToken()));
        assertThat(holder.release()).isFalse();
        assertNothingLeft();
    }

    @Test
    void uncontended_isTakenAndReleasedLikeAnyOther() {
        for (boolean fenced : new boolean[] {true, false}) {
            try (Lease lease = locks.lock(
                            key, options -> options.ttl(TTL).fair(true).fencing(fenced))
                    .acquire()) {
                assertThat(lease.isHeld()).isTrue();
                assertThat(lock(another()).tryAcquire()).isEmpty();
            }
            assertNothingLeft();
        }
    }
}
