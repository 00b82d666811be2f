// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/**
 * A waiter that asked only just now is handed the lock for its whole TTL, and the word of that is all it needs; unless it can't
 * tell any more from when on its lease would be valid.
 */
@NullUnmarked
public abstract class HandedOverContract extends WaitingContract {
    /** No safety poll is due so soon: whoever gets the lock by then was told. */
    private static final Duration BEFORE_ANY_POLL = ms(1_800);

    /** Renewed: such a lease may begin with half of its TTL, so a slow machine does not make its waiter ask. */
    private static void renewed(LockOptions.Builder options) {
        options.ttl(TTL).renew(true);
    }

    /** Stands in the queue as if it had arrived in this very moment, however slow the machine is. */
    private CompletableFuture<Lease> arrives(Holdfast process, Consumer<LockOptions.Builder> terms) {
        CompletableFuture<Lease> waiter = queue(process, terms);
        List<String> entries = queued();
        arrivedJustNow(entries.get(entries.size() - 1));
        return waiter;
    }

    @Test
    void wordAlone_bringsTheWholeLease() {
        Lease holder = hold(locks);
        CompletableFuture<Lease> waiter = arrives(listener(), HandedOverContract::renewed);
        try (Monitor monitor = monitor()) {
            assertThat(holder.release()).isTrue();

            Lease lease = granted(waiter);

            assertThat(verbs(monitor)).as("no question").containsExactly("release");
            assertThat(backdoor.get(lockKey())).isEqualTo(lease.token());
            assertThat(backdoor.pttl(lockKey())).isGreaterThan(lease.remaining().toMillis());
            assertThat(lease.remaining()).isGreaterThan(TTL.dividedBy(2));
            assertThat(lease.fencingToken()).isGreaterThan(holder.fencingToken());
            assertThat(lease.renew(TTL)).isTrue();
            assertThat(lease.release()).isTrue();
        }
        assertNothingLeft();
    }

    @Test
    void oneThatArrivedLongAgo_getsTheLockForAMoment_andAsks() {
        Lease holder = hold(locks);
        CompletableFuture<Lease> waiter = queue(listener(), HandedOverContract::renewed);
        try (Monitor monitor = monitor()) {
            holder.release();

            granted(waiter);

            assertThat(verbs(monitor)).containsExactly("release", "acquire");
            assertThat(lifeSetBy(monitor)).isLessThanOrEqualTo(1_000);
        }
    }

    /** The life the lock key was given last by a script that published before. */
    private long lifeSetBy(Monitor monitor) {
        return monitor.lines().stream()
                .filter(line -> line.contains(" lua] \"SET\" \"" + lockKey() + "\""))
                .map(line -> line.split("\"", -1))
                .mapToLong(words -> Long.parseLong(words[words.length - 2]))
                .min()
                .orElseThrow();
    }

    @Test
    void fixedLease_isNeverShorterThanOnePassedOnInMemory() {
        Lease holder = hold(locks);
        CompletableFuture<Lease> waiter = queue(listener());
        elapse(ms(50)); // it asked longer ago than a fixed lease may be short
        arrivedJustNow(queued().get(0));
        try (Monitor monitor = monitor()) {
            holder.release();

            Lease lease = granted(waiter);

            assertThat(verbs(monitor)).as("asked once more").containsExactly("release", "acquire");
            assertThat(backdoor.get(lockKey())).isEqualTo(lease.token());
            assertThat(lease.renew(TTL)).isTrue();
            assertThat(lease.release()).isTrue();
        }
        assertNothingLeft();
    }

    @Test
    void wordFromBeforeASecondQuestion_isNotBelieved() {
        Lease holder = hold(locks);
        TamperingConnector network = network();
        Holdfast process = listener(network);
        String channel = channel(process);
        CompletableFuture<Lease> waiter = queue(process, HandedOverContract::renewed);
        String id = id(queued().get(0));
        int asked = network.asked(Verbs::isAcquire).size();
        raw().call("PUBLISH", channel, "g" + id);
        await().until(() -> network.asked(Verbs::isAcquire).size() == asked + 1);

        raw().call("PUBLISH", channel, "G" + id + "1763242798123456"); // of a grant that is over, for all anybody knows

        await().until(() -> network.asked(Verbs::isAcquire).size() >= asked + 2);
        elapse(ms(50));
        assertThat(waiter).isNotDone();
        assertThat(holder.isHeld()).isTrue();
        holder.release();
        granted(waiter);
    }

    @Test
    void wordLaterThanTheLease_doesNotMakeTwoHolders() {
        for (boolean renews : List.of(true, false)) {
            Lease holder = hold(locks);
            TamperingConnector slow = network();
            CompletableFuture<Lease> late =
                    queue(listener(slow), options -> options.ttl(ms(300)).renew(renews));
            arrivedJustNow(queued().get(0));
            slow.subscriptions().delayMessages(ms(600));
            holder.release();
            await().until(() -> !backdoor.exists(lockKey()));
            Lease successor = hold(locks);
            int asked = slow.asked(Verbs::isAcquire).size();

            await().until(() -> slow.asked(Verbs::isAcquire).size() > asked); // the word is there

            assertThat(late).isNotDone();
            assertThat(backdoor.get(lockKey())).isEqualTo(successor.token());
            slow.calm();
            await().until(() -> queued().size() == 1);
            successor.release();
            granted(late).release();
        }
    }

    @Test
    void wordBeforeTheAnswer_isNotForgotten() {
        Lease holder = hold(locks);
        TamperingConnector network = network();
        Holdfast process = listener(network);
        network.when(Verbs::isAcquire).once().delayReply(ms(200));
        CompletableFuture<Lease> waiter = arrives(process, HandedOverContract::renewed);
        int asked = network.asked(Verbs::isAcquire).size();

        holder.release(); // the answer, older than the word, says that the lock is taken

        assertThat(waiter).succeedsWithin(BEFORE_ANY_POLL);
        assertThat(network.asked(Verbs::isAcquire)).hasSize(asked);
    }

    @Test
    void holderThatWasHandedTheLock_servesTheNext_thoughNobodySaysThatItWaits() {
        Lease before = hold(locks);
        CompletableFuture<Lease> first = arrives(listener(), HandedOverContract::renewed);
        before.release();
        Lease holder = granted(first);
        try (Monitor monitor = monitor()) {
            CompletableFuture<Lease> next = queue(listener());
            assertThat(published(monitor, "w")).as("that it is wanted").isEmpty();

            assertThat(holder.release()).isTrue();

            assertThat(next).succeedsWithin(BEFORE_ANY_POLL);
        }
    }

    @Test
    void neighboursOfAFairLock_areServedByOneWord() {
        Holdfast one = listener();
        Consumer<LockOptions.Builder> fair =
                options -> options.ttl(TTL).renew(true).fair(true);
        Lease holder = locks.lock(key, fair).acquire();
        CompletableFuture<Lease> first = arrives(one, fair);
        CompletableFuture<Lease> second = arrives(one, fair);
        CompletableFuture<Lease> other = arrives(listener(), fair);
        try (Monitor monitor = monitor()) {
            holder.release();
            granted(first).release();
            assertThat(other).isNotDone();
            granted(second).release();
            granted(other).release();

            assertThat(verbs(monitor)).containsExactly("release", "release", "release");
        }
        assertNothingLeft();
    }

    @Test
    void oneThatLeftBeforeTheWordArrived_passesTheLockOn() {
        TamperingConnector network = network();
        Holdfast process = listener(network);
        Lease holder = hold(locks);
        CompletableFuture<Lease> leaving = arrives(process, HandedOverContract::renewed);
        network.subscriptions().holdMessages();
        holder.release();
        await().until(() -> String.valueOf(backdoor.get(lockKey())).contains("#0"));
        CompletableFuture<Lease> next = queue(listener());

        leaving.cancel(true);

        assertThat(next).succeedsWithin(BEFORE_ANY_POLL);
        network.subscriptions().letGo();
        next.join().release();
        assertNothingLeft();
    }

    @Test
    void processThatIsGone_isPassedOver_andNobodyMeansFree() {
        Lease holder = hold(locks);
        CompletableFuture<Lease> waiter = arrives(listener(), HandedOverContract::renewed);
        String entry = queued().get(0);
        String gone = "F" + "d".repeat(34) + entry.substring(35);
        raw().call("ZADD", queueKey(), inAMinute(), gone);
        arrivedJustNow(entry); // behind it

        holder.release();

        Lease lease = granted(waiter);
        raw().call("ZADD", queueKey(), inAMinute(), gone);
        assertThat(lease.release()).isTrue();
        assertNothingLeft();
    }

    @Test
    void onTermsThatOnlyAnAnswerCanMeet_nothingIsHandedOver() {
        Lease holder = hold(locks);
        List<Consumer<LockOptions.Builder>> terms = List.of(
                HandedOverContract::renewed,
                options -> options.ttl(TTL).maxTtl(TTL.multipliedBy(2)),
                options -> options.ttl(TTL).owner("X"),
                options -> options.ttl(TTL).fencing(false));

        List<CompletableFuture<Lease>> waiters =
                terms.stream().map(each -> queue(listener(), each)).toList();

        assertThat(holder.isHeld()).isTrue();
        assertThat(waiters).noneMatch(CompletableFuture::isDone);
        assertThat(queued()).extracting(entry -> entry.charAt(0)).containsExactly('F', 'f', 'f', 'u');
    }
}
