// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.spi.RedisReplyException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The queue of waiting processes: who is in it, in which order, who is passed the lock, and that all leave it again. */
@NullUnmarked
public abstract class QueueContract extends WaitingContract {

    @Test
    void release_passesTheLockToTheHeadOfTheQueueAndTellsItAlone() {
        Lease holder = hold(locks);
        CompletableFuture<Lease> first = queue(listener());
        CompletableFuture<Lease> second = queue(listener());
        List<String> order = queued();
        try (Monitor monitor = monitor()) {
            assertThat(holder.release()).isTrue();

            Lease next = granted(first);
            assertThat(toldOfTheirTurn(monitor)).containsExactly(id(order.get(0)));
            assertThat(id(next.token())).isEqualTo(id(order.get(0)));
            assertThat(next.isHeld()).isTrue();
            assertThat(backdoor.pttl(lockKey())).as("confirmed").isGreaterThan(1_000);
            assertThat(next.fencingToken()).isGreaterThan(holder.fencingToken());
            assertThat(queued()).containsExactly(order.get(1));
            assertThat(second).isNotDone();
        }
    }

    @Test
    void processes_getTheLockInTheOrderTheyAsked() {
        Lease before = hold(locks);
        List<CompletableFuture<Lease>> waiters =
                IntStream.range(0, 4).mapToObj(i -> queue(listener())).toList();
        assertThat(queued()).hasSize(4).doesNotHaveDuplicates();

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
    void waiterThatDied_isSkippedInTheSameBreath() {
        Lease holder = hold(locks);
        CompletableFuture<Lease> alive = queue(listener());
        String entry = queued().get(0);
        String dead = "f" + "d".repeat(34) + entry.substring(35);
        raw().call("ZADD", queueKey(), "1", dead);
        try (Monitor monitor = monitor()) {
            holder.release();

            granted(alive);
            assertThat(toldOfTheirTurn(monitor)).containsExactly(id(dead), id(entry));
            assertThat(queued()).isEmpty();
        }
    }

    @Test
    void everybodyInTheQueueDied_theLockIsFree() {
        Lease holder = hold(locks);
        CompletableFuture<Lease> gone = queue(listener());
        String entry = queued().get(0);
        for (int i = 0; i < 10; i++) {
            raw().call("ZADD", queueKey(), "1", "f" + ("d" + i).repeat(17) + entry.substring(35));
        }
        gone.cancel(true);
        await().until(() -> queued().size() == 10);

        assertThat(holder.release()).isTrue();

        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void queue_expiresByItselfAndGoesWithItsLastWaiter() {
        Lease holder = hold(locks);
        CompletableFuture<Lease> first = queue(listener());
        CompletableFuture<Lease> second = queue(listener());
        assertThat(backdoor.pttl(queueKey())).isBetween(1_000L, 60_000L);

        first.cancel(true);
        await().until(() -> queued().size() == 1);
        second.cancel(true);
        await().until(() -> !backdoor.exists(queueKey()));
        assertThat(backdoor.get(lockKey())).isEqualTo(holder.token());
        holder.release();
        assertNothingLeft();
    }

    @Test
    void waiterThatLeaves_lettingTheOthersMoveUp() {
        Lease holder = hold(locks);
        CompletableFuture<Lease> first = queue(listener());
        CompletableFuture<Lease> second = queue(listener());
        CompletableFuture<Lease> third = queue(listener());
        first.cancel(true);
        await().until(() -> queued().size() == 2);

        holder.release();

        granted(second).release();
        granted(third).release();
        assertNothingLeft();
    }

    @Test
    void waiterThatLeavesWithTheLockOnItsWay_passesItOn() {
        Lease holder = hold(locks);
        TamperingConnector deaf = network();
        CompletableFuture<Lease> first = queue(listener(deaf));
        CompletableFuture<Lease> second = queue(listener());
        List<String> order = queued();
        deaf.subscriptions().dropMessages();
        try (Monitor monitor = monitor()) {
            holder.release();
            assertThat(backdoor.get(lockKey())).contains(id(order.get(0)));
            assertThat(backdoor.pttl(lockKey())).as("for a moment").isBetween(1L, 1_000L);

            first.cancel(true);

            granted(second);
            assertThat(toldOfTheirTurn(monitor)).containsExactly(id(order.get(0)), id(order.get(1)));
        }
    }

    @Test
    void waiterWhoseTimeIsUpWithTheLockOnItsWay_passesItOn() throws Exception {
        Lease holder = hold(locks);
        TamperingConnector deaf = network();
        Holdfast impatient = listener(deaf);
        deaf.subscriptions().dropMessages();
        Worker<Boolean> first =
                Worker.start(() -> impatient.tryLock(key, TTL, ms(400)).isPresent());
        await().until(() -> queued().size() == 1);
        CompletableFuture<Lease> second = queue(listener());
        List<String> order = queued();
        try (Monitor monitor = monitor()) {
            holder.release();

            assertThat(first.result()).isFalse();
            granted(second);
            assertThat(toldOfTheirTurn(monitor)).containsExactly(id(order.get(0)), id(order.get(1)));
        }
    }

    @Test
    void release_ofALockSomebodyDeleted_stillPassesItOn() {
        Lease holder = hold(listener());
        CompletableFuture<Lease> waiter = queue(listener());
        String entry = queued().get(0);
        try (Monitor monitor = monitor()) {
            backdoor.delete(lockKey());

            assertThat(holder.release()).isFalse();

            granted(waiter);
            assertThat(toldOfTheirTurn(monitor)).containsExactly(id(entry));
        }
    }

    @Test
    void release_ofALeaseThatIsOverForItsHolderOnly_passesTheLockOn() {
        Lease holder = hold(listener());
        CompletableFuture<Lease> waiter = queue(listener());
        String entry = queued().get(0);
        assertThat(holder.renew(ms(50))).isTrue(); // shortens what the holder counts on, not the key's life
        await().until(() -> !holder.isHeld());
        try (Monitor monitor = monitor()) {
            assertThat(holder.release()).isFalse();

            granted(waiter);
            assertThat(toldOfTheirTurn(monitor)).containsExactly(id(entry));
        }
    }

    @Test
    void newcomerThatTookAFreeLock_passesItOnToThoseWhoWaited() {
        Lease holder = hold(locks);
        CompletableFuture<Lease> waiter = queue(listener());
        String entry = queued().get(0);
        Holdfast newcomer = listener();
        backdoor.delete(lockKey()); // nobody is told
        Lease lease = newcomer.tryLock(key, TTL, TTL).orElseThrow();
        try (Monitor monitor = monitor()) {
            assertThat(lease.release()).isTrue();

            granted(waiter);
            assertThat(toldOfTheirTurn(monitor)).containsExactly(id(entry));
        }
        assertThat(holder.release()).isFalse();
    }

    @Test
    void waiterThatBecameDeaf_leavesNoEntryBehindWhenItGetsTheLock() {
        Lease holder = hold(locks);
        TamperingConnector deaf = network();
        CompletableFuture<Lease> waiter =
                queue(listener(deaf), options -> options.ttl(TTL).retryInterval(ms(20)));
        deaf.subscriptions().refuse(new RedisReplyException("NOPERM no channels here"));
        deaf.subscriptions().breakAll();

        backdoor.delete(lockKey());

        granted(waiter);
        assertThat(queued()).isEmpty();
        assertThat(holder.release()).isFalse();
        assertThat(backdoor.exists(lockKey())).isTrue();
    }
}
