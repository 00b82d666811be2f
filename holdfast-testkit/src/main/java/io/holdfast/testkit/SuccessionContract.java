// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.spi.RedisConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Waiters of one process whose places in the queue of a fair lock follow each other: one grant serves them all. */
@NullUnmarked
public abstract class SuccessionContract extends WaitingContract {

    private static void fair(LockOptions.Builder options) {
        options.ttl(TTL).renew(true).fair(true);
    }

    private static void fairAndFixed(LockOptions.Builder options) {
        options.ttl(TTL).fair(true);
    }

    private DistributedLock lock(Holdfast process) {
        return process.lock(key, SuccessionContract::fair);
    }

    private List<CompletableFuture<Lease>> queueUp(Holdfast... processes) {
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (Holdfast process : processes) {
            waiters.add(queue(process, SuccessionContract::fair));
        }
        return waiters;
    }

    /** Releases, and expects that one, and none of those behind it, to have the lock. */
    private Lease passes(Lease from, List<CompletableFuture<Lease>> waiters, int to) {
        assertThat(from.release()).isTrue();
        Lease next = granted(waiters.get(to));
        assertThat(next.isHeld()).isTrue();
        assertThat(from.isHeld()).isFalse();
        assertThat(next.fencingToken()).isGreaterThan(from.fencingToken());
        assertThat(waiters.subList(to + 1, waiters.size())).noneMatch(CompletableFuture::isDone);
        return next;
    }

    @Test
    void neighboursOfOneProcess_areServedByOneGrant_andOvertakeNobody() {
        Holdfast one = listener();
        Holdfast two = listener();
        Lease last = lock(locks).acquire();
        List<CompletableFuture<Lease>> waiters = queueUp(one, one, one, two, one);
        List<String> ids = queued().stream().map(entry -> id(entry)).toList();
        try (Monitor monitor = monitor()) {
            for (int i = 0; i < waiters.size(); i++) {
                last = passes(last, waiters, i);
            }
            assertThat(last.release()).isTrue();

            assertThat(toldOfTheirTurn(monitor)).containsExactly(ids.get(0), ids.get(3), ids.get(4));
        }
        assertNothingLeft();
    }

    @Test
    void oneThatLeft_isPassedOver() {
        Holdfast one = listener();
        Lease holder = lock(locks).acquire();
        List<CompletableFuture<Lease>> waiters = queueUp(one, one, one);
        Lease first = passes(holder, waiters, 0);
        waiters.get(1).cancel(true);
        await().until(() -> queued().size() == 1);

        assertThat(first.release()).isTrue();
        Lease third = granted(waiters.get(2));

        assertThat(id(third.token())).as("on the same grant").isEqualTo(id(first.token()));
        assertThat(third.release()).isTrue();
        assertNothingLeft();
    }

    @Test
    void leaseNearerToItsEndThanTheNextOneAskedFor_goesToRedis_inTheSameOrder() {
        Holdfast one = listener();
        Lease holder = locks.lock(key, SuccessionContract::fairAndFixed).acquire();
        CompletableFuture<Lease> first = queue(one, SuccessionContract::fairAndFixed);
        CompletableFuture<Lease> second = queue(one, SuccessionContract::fairAndFixed);
        CompletableFuture<Lease> other = queue(listener(), SuccessionContract::fairAndFixed);
        holder.release();
        Lease used = granted(first);
        await().until(() -> used.remaining().compareTo(TTL.minusMillis(500)) < 0);

        used.release();
        Lease fresh = granted(second);

        assertThat(fresh.remaining()).isGreaterThan(TTL.minusMillis(500));
        assertThat(id(fresh.token())).as("on a grant of its own").isNotEqualTo(id(used.token()));
        assertThat(other).isNotDone();
        fresh.release();
        granted(other).release();
        assertNothingLeft();
    }

    @Test
    void onOtherTerms_theNextOneGetsAGrantOfItsOwn() {
        Holdfast one = listener();
        Lease holder = lock(locks).acquire();
        CompletableFuture<Lease> first = queue(one, SuccessionContract::fair);
        CompletableFuture<Lease> second =
                queue(one, options -> options.ttl(TTL.multipliedBy(2)).fair(true));
        CompletableFuture<Lease> third = queue(one, SuccessionContract::fair);
        holder.release();

        granted(first).release();
        Lease longer = granted(second);

        assertThat(longer.remaining()).isGreaterThan(TTL);
        assertThat(third).isNotDone();
        longer.release();
        granted(third).release();
        assertNothingLeft();
    }

    @Test
    void lostInBetween_leavesNoPlaceInTheQueue_andTheNextOneIsServed() {
        Holdfast one = listener();
        Lease holder = lock(locks).acquire();
        List<CompletableFuture<Lease>> waiters = queueUp(one, one, one);
        String servedInMemory = id(queued().get(1));
        Lease second = passes(passes(holder, waiters, 0), waiters, 1);
        try (Monitor monitor = monitor()) {
            backdoor.delete(lockKey());

            assertThat(second.renew(TTL)).as("deleted by somebody").isFalse();

            Lease third = granted(waiters.get(2));
            assertThat(third.fencingToken()).isGreaterThan(second.fencingToken());
            assertThat(third.release()).isTrue();
            assertThat(toldOfTheirTurn(monitor)).doesNotContain(servedInMemory);
        }
        assertNothingLeft();
    }

    @Test
    void releaseThatFails_leavesNoPlaceInTheQueueEither() {
        TamperingConnector network = network();
        Holdfast one = listener(network);
        Lease holder = lock(locks).acquire();
        List<CompletableFuture<Lease>> waiters = queueUp(one, one);
        String servedInMemory = id(queued().get(1));
        Lease second = passes(passes(holder, waiters, 0), waiters, 1);
        network.when(Verbs::isRelease).times(2).fail(RedisConnectionException.notSent("cut off", null));

        assertThat(second.releaseAsync()).failsWithin(TTL).withThrowableOfType(ExecutionException.class);

        await().until(() -> abandoned(network).stream().anyMatch(words -> words.contains(servedInMemory)));
        assertNothingLeft();
    }

    @Test
    void oneWhoseTryIsUnderWay_getsAGrantOfItsOwn() {
        TamperingConnector network = network();
        Holdfast one = listener(network);
        Lease holder = lock(locks).acquire();
        List<CompletableFuture<Lease>> waiters = queueUp(one, one);
        Lease first = passes(holder, waiters, 0);
        network.when(Verbs::isAcquire).once().stall();
        await().until(() -> network.underWay() == 1); // the second one asks, though it has heard nothing

        assertThat(first.release()).isTrue();
        network.letGo();

        Lease second = granted(waiters.get(1));
        assertThat(id(second.token())).isNotEqualTo(id(first.token()));
        assertThat(second.release()).isTrue();
        assertNothingLeft();
    }

    @Test
    void neighbourThatIsNotFair_bringsTheLockToItsGate() {
        Holdfast one = listener();
        Lease holder = lock(locks).acquire();
        CompletableFuture<Lease> fair = queue(one, SuccessionContract::fair);
        CompletableFuture<Lease> unfair = queue(one, options -> options.ttl(TTL).renew(true));
        CompletableFuture<Lease> atItsGate =
                lineUp(one, options -> options.ttl(TTL).renew(true));
        holder.release();

        granted(fair).release();
        granted(unfair).release();
        granted(atItsGate).release();

        assertNothingLeft();
    }

    @Test
    void neighbourWithAnOwner_getsAGrantOfItsOwner() {
        Holdfast one = listener();
        Lease holder = lock(locks).acquire();
        CompletableFuture<Lease> fair = queue(one, SuccessionContract::fair);
        CompletableFuture<Lease> owned =
                queue(one, options -> options.ttl(TTL).renew(true).fair(true).owner("X"));
        holder.release();

        granted(fair).release();
        Lease lease = granted(owned);

        Lease again = locks.lock(key, options -> options.ttl(TTL).owner("X")).acquire();
        assertThat(again.fencingToken()).isEqualTo(lease.fencingToken());
        again.release();
        lease.release();
        assertNothingLeft();
    }

    @Test
    void wordForOneThatWasServed_passesTheLockOn() {
        TamperingConnector network = network();
        Holdfast one = listener(network);
        Lease holder = lock(locks).acquire();
        List<CompletableFuture<Lease>> waiters = queueUp(one, one, listener());
        String servedInMemory = id(queued().get(1));
        Lease second = passes(passes(holder, waiters, 0), waiters, 1);

        assertThat(locks.forceRelease(key))
                .isPresent(); // passes the lock to the first place, which is still the second one's

        Lease third = granted(waiters.get(2));
        assertThat(abandoned(network)).anyMatch(words -> words.contains(servedInMemory));
        assertThat(third.isHeld()).isTrue();
        assertThat(second.release()).isFalse();
        assertThat(third.release()).isTrue();
        assertNothingLeft();
    }

    private static List<String> abandoned(TamperingConnector network) {
        return network.asked(command -> Verbs.of(command).equals("abandon")).stream()
                .map(command -> command.words().toString())
                .toList();
    }
}
