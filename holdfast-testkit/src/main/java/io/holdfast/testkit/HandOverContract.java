// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** A lock passes from thread to thread of one process without Redis, each turn with a token of its own, until others are due. */
@NullUnmarked
public abstract class HandOverContract extends WaitingContract {
    private static final Duration SOON = Duration.ofSeconds(10);

    /** Renewed, so that it can be passed on as it is for a long time: a fixed one is asked for again after 10 ms. */
    private Lease acquire(Holdfast process) {
        return process.lock(key).acquire(SOON);
    }

    /** So many that wait in the process that holds the lock, in order. */
    private List<CompletableFuture<Lease>> line(Holdfast process, int count, Consumer<LockOptions.Builder> terms) {
        return IntStream.range(0, count).mapToObj(i -> lineUp(process, terms)).toList();
    }

    /** Has the lock pass to that process, and with it the word that another, which is returned, wants it too. */
    private CompletableFuture<Lease> passWanted(
            Holdfast process, Consumer<LockOptions.Builder> terms, AtomicReference<Lease> holder) {
        Lease before = hold(locks);
        CompletableFuture<Lease> first = queue(process, terms);
        CompletableFuture<Lease> other = queue(listener());
        before.release();
        holder.set(granted(first));
        return other;
    }

    @Test
    void threadsOfOneProcess_takeTurnsWithoutACommand_andWithRisingTokens() throws Exception {
        Holdfast process = listener();
        Lease first = acquire(process);
        List<Long> fences = new ArrayList<>(); // guarded by the lock under test
        List<String> commands = new ArrayList<>();
        List<Worker<Boolean>> threads = new ArrayList<>();
        try (Monitor monitor = monitor()) {
            for (int i = 0; i < 20; i++) {
                threads.add(Worker.start(() -> {
                    try (Lease lease = acquire(process)) {
                        fences.add(lease.fencingToken());
                        commands.addAll(verbs(monitor));
                        return lease.isHeld();
                    }
                }));
            }
            await().until(() -> haveWaited(process) == 20);

            assertThat(first.release()).isTrue();

            for (Worker<Boolean> thread : threads) {
                assertThat(thread.result()).isTrue();
            }
            assertThat(commands).as("while somebody waited").isEmpty();
            assertThat(fences).hasSize(20).isSorted().doesNotHaveDuplicates();
            assertThat(fences.get(19)).isEqualTo(first.fencingToken() + 20);
        }
    }

    @Test
    void hundredTurns_withSomebodyAlwaysWaiting_costNoCommand() {
        Holdfast process = listener();
        Lease lease = acquire(process);
        try (Monitor monitor = monitor()) {
            for (int turn = 0; turn < 100; turn++) {
                CompletableFuture<Lease> next = line(process, 1, options -> {}).get(0);
                lease.release();
                Lease passed = granted(next);
                assertThat(passed.fencingToken()).isEqualTo(lease.fencingToken() + 1);
                lease = passed;
            }
            assertThat(verbs(monitor)).isEmpty();
            assertThat(lease.release()).isTrue();
            assertThat(verbs(monitor)).hasSize(1);
        }
    }

    @Test
    void turns_areMoreThanATokenHolds_thenRedisIssuesANewBase() {
        Holdfast process = listener();
        Lease first = acquire(process);
        List<Long> fences = new ArrayList<>(); // guarded by the lock under test
        List<String> grants = new ArrayList<>(List.of(first.token())); // the same
        CompletableFuture<?>[] turns = IntStream.range(0, 1_100)
                .mapToObj(i -> waiting(process, options -> {}).thenAccept(lease -> {
                    fences.add(lease.fencingToken());
                    grants.add(lease.token());
                    lease.release();
                }))
                .toArray(CompletableFuture<?>[]::new);
        await().until(() -> haveWaited(process) == turns.length);

        first.release();

        CompletableFuture.allOf(turns).orTimeout(20, TimeUnit.SECONDS).join();
        assertThat(fences).hasSize(turns.length).isSorted().doesNotHaveDuplicates();
        assertThat(fences.get(1_022) >> 10).isEqualTo(first.fencingToken() >> 10);
        assertThat(fences.get(1_023) >> 10).as("a new base").isGreaterThan(first.fencingToken() >> 10);
        assertThat(grants.subList(0, 1_024)).containsOnly(first.token());
        assertThat(grants.get(1_024)).as("a new grant").isNotEqualTo(first.token());
    }

    @Test
    void threadsOfOneProcess_haveOneEntryInTheQueue() {
        Lease holder = hold(locks);
        Holdfast process = listener();
        List<CompletableFuture<Lease>> line = line(process, 5, options -> options.ttl(TTL));
        CompletableFuture<Lease> other = waiting(listener(), options -> options.ttl(TTL));
        await().until(() -> queued().size() == 2);

        holder.release();

        Lease first = granted(line.get(0));
        assertThat(queued()).as("the other process alone").hasSize(1);
        assertThat(line.subList(1, 5)).noneMatch(CompletableFuture::isDone);
        assertThat(other).isNotDone();
        assertThat(first.isHeld()).isTrue();
    }

    @Test
    void turns_areCountedOnceAnotherProcessWaits() {
        Holdfast process = listener();
        Consumer<LockOptions.Builder> terms =
                options -> options.ttl(TTL).handOverTurns(3).handOverTime(Duration.ofMinutes(1));
        AtomicReference<Lease> holder = new AtomicReference<>();
        CompletableFuture<Lease> other = passWanted(process, terms, holder);
        List<CompletableFuture<Lease>> line = line(process, 4, terms);
        int turns = 0;
        Lease lease = holder.get();
        while (!other.isDone() && turns < 4) {
            lease.release();
            CompletableFuture<Lease> local = line.get(turns);
            await().until(() -> local.isDone() || other.isDone());
            if (local.isDone()) {
                turns++;
                lease = local.join();
            }
        }
        assertThat(turns).as("turns before the other process").isEqualTo(2);
        assertThat(other).isDone();
        Lease theirs = other.join();
        assertThat(theirs.fencingToken()).isGreaterThan(lease.fencingToken());
        theirs.release();
        assertThat(granted(line.get(turns)).fencingToken()).isGreaterThan(theirs.fencingToken());
    }

    @Test
    void turnsBeforeAnotherProcessWaits_areNotCounted() {
        Holdfast process = listener();
        Consumer<LockOptions.Builder> terms =
                options -> options.ttl(TTL).handOverTurns(4).handOverTime(Duration.ofMinutes(1));
        Lease lease = process.lock(key, terms).acquire(SOON);
        for (int turn = 0; turn < 8; turn++) {
            CompletableFuture<Lease> next = lineUp(process, terms);
            lease.release();
            lease = granted(next);
        }
        CompletableFuture<Lease> other = queue(listener());
        for (int turn = 0; turn < 3; turn++) {
            CompletableFuture<Lease> next = lineUp(process, terms);
            lease.release();
            lease = granted(next);
            assertThat(other).isNotDone();
        }
        lease.release();
        granted(other);
    }

    @Test
    void processThatIsDueButAloneInTheQueue_goesOnWithAWholeLease() {
        Holdfast process = listener();
        Consumer<LockOptions.Builder> polite = options -> options.ttl(TTL).handOverTime(Duration.ZERO);
        AtomicReference<Lease> holder = new AtomicReference<>();
        CompletableFuture<Lease> other = passWanted(process, polite, holder);
        CompletableFuture<Lease> local = lineUp(process, polite);
        other.cancel(true);
        await().until(() -> queued().isEmpty());
        try (Monitor monitor = monitor()) {
            holder.get().release();

            Lease next = granted(local);
            assertThat(verbs(monitor)).as("released and granted in one breath").containsExactly("release");
            assertThat(toldOfTheirTurn(monitor)).isEmpty();
            assertThat(next.fencingToken() >> 10).isGreaterThan(holder.get().fencingToken() >> 10);
            assertThat(backdoor.pttl(lockKey()))
                    .isGreaterThanOrEqualTo(next.remaining().toMillis() - 1);
        }
    }

    @Test
    void timeIsCountedOnceAnotherProcessWaits() {
        Holdfast process = listener();
        Consumer<LockOptions.Builder> terms =
                options -> options.ttl(TTL).handOverTurns(1_000).handOverTime(ms(150));
        AtomicReference<Lease> holder = new AtomicReference<>();
        CompletableFuture<Lease> other = passWanted(process, terms, holder);
        List<CompletableFuture<Lease>> line = line(process, 1, terms);
        elapse(ms(150));

        holder.get().release();

        granted(other);
        assertThat(line.get(0)).isNotDone();
        assertThat(queued()).as("joined again with the release").hasSize(1);
    }

    @Test
    void oldLease_isOverBeforeTheNextBegins_andCannotTouchIt() {
        AtomicReference<Lease> old = new AtomicReference<>();
        List<Boolean> heldAtGrant = new ArrayList<>();
        AtomicInteger losses = new AtomicInteger();
        Holdfast process = listener(builder -> builder.listener(new LockListener() {
            @Override
            public void acquired(LockEvent event) {
                if (old.get() != null) {
                    heldAtGrant.add(old.get().isHeld());
                }
            }
        }));
        old.set(acquire(process).onLost(reason -> losses.incrementAndGet()));
        CompletableFuture<Lease> waiter = line(process, 1, options -> {}).get(0);

        assertThat(old.get().release()).isTrue();

        Lease next = granted(waiter);
        assertThat(heldAtGrant).containsExactly(false);
        assertThat(old.get().release()).isFalse();
        assertThat(old.get().renew(TTL)).isFalse();
        assertThat(old.get().remaining()).isZero();
        old.get().close();
        assertThat(next.isHeld()).isTrue();
        assertThat(backdoor.get(lockKey())).isEqualTo(next.token());
        backdoor.delete(lockKey());
        assertThat(next.renew(TTL)).isFalse();
        assertThat(next.lostReason()).isPresent();
        assertThat(old.get().lostReason()).isEmpty();
        assertThat(losses).as("told the old holder").hasValue(0);
    }
}
