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
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What may be passed from hand to hand, to whom, and what a place in the queue is worth when its owner leaves. */
@NullUnmarked
public abstract class TurnsContract extends WaitingContract {
    private static final Duration SOON = Duration.ofSeconds(10);

    private Lease acquire(Holdfast process, Consumer<LockOptions.Builder> terms) {
        return process.lock(key, terms).acquire(SOON);
    }

    @Test
    void leaseNearItsEnd_isRenewedBeforeItIsPassedOn() throws Exception {
        Consumer<LockOptions.Builder> brief = options -> options.ttl(ms(3_000));
        for (boolean async : new boolean[] {true, false}) {
            Holdfast process = listener();
            Lease first = acquire(process, brief);
            CompletableFuture<Lease> waiter = async
                    ? waiting(process, brief)
                    : CompletableFuture.supplyAsync(() -> acquire(process, brief), task -> new Thread(task).start());
            await().until(() -> haveWaited(process) == 1);
            elapse(ms(400));
            Duration left = first.remaining();
            first.release();
            Lease second = granted(waiter);

            assertThat(second.remaining()).as("of 3 s, async %s", async).isGreaterThan(left);
            assertThat(backdoor.pttl(lockKey()))
                    .isGreaterThanOrEqualTo(second.remaining().toMillis() - 1);
            assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
            second.release();
        }
    }

    @Test
    void lostLease_isNeverPassedOn() {
        Consumer<LockOptions.Builder> renewed =
                options -> options.ttl(ms(3_000)).renew(true).renewEvery(ms(50)).retryInterval(ms(20));
        Holdfast process = listener();
        Lease first = acquire(process, renewed);
        CompletableFuture<Lease> waiter = lineUp(process, renewed);

        backdoor.set(lockKey(), "somebody else", 0);

        await().until(() -> !first.isHeld());
        assertThat(first.release()).isFalse();
        elapse(ms(100));
        assertThat(waiter).isNotDone();
        backdoor.delete(lockKey());
        Lease second = granted(waiter);
        assertThat(second.token()).isNotEqualTo(first.token());
        assertThat(second.fencingToken() >> 10).isGreaterThan(first.fencingToken() >> 10);
        assertThat(backdoor.get(lockKey())).isEqualTo(second.token());
    }

    @Test
    void representativeThatGivesUp_leavesItsPlaceToTheNextOfItsProcess() throws Exception {
        Lease holder = hold(locks);
        Holdfast process = listener();
        CompletableFuture<Lease> cancelled = queue(process);
        List<String> place = queued();
        Worker<Boolean> impatient =
                Worker.start(() -> process.tryLock(key, TTL, ms(300)).isPresent());
        await().until(() -> haveWaited(process) == 2);
        CompletableFuture<Lease> patient = lineUp(process, options -> options.ttl(TTL));
        CompletableFuture<Lease> other = queue(listener());

        cancelled.cancel(true);
        assertThat(impatient.result()).isFalse();
        await().until(() -> process.waitingAcquires() == 1);

        assertThat(queued()).hasSize(2).startsWith(place.get(0));
        holder.release();
        granted(patient).release();
        granted(other).release();
        assertNothingLeft();
    }

    @Test
    void tryOnce_takesNothingThatIsAnothersTurn() {
        Lease before = hold(locks);
        Holdfast process = listener();
        TamperingConnector slow = network();
        CompletableFuture<Lease> first = queue(process);
        CompletableFuture<Lease> other = queue(listener(slow));
        before.release();
        Lease holder = granted(first); // and knows that it is wanted
        CompletableFuture<Lease> local = lineUp(process, options -> options.ttl(TTL));
        slow.subscriptions().holdMessages();

        try (Monitor monitor = monitor()) {
            assertThat(process.lock(key).tryLock()).isFalse();
            assertThat(process.tryLock(key, TTL)).isEmpty();
            assertThat(published(monitor, "w")).as("its own process knows").isEmpty();
        }
        assertThat(queued()).as("they do not join").hasSize(1);
        local.cancel(true);
        await().until(() -> process.waitingAcquires() == 0);
        holder.release();
        raw().call("PEXPIRE", lockKey(), "20000"); // however busy this machine is
        assertThat(process.tryLock(key, TTL))
                .as("on its way to the other process")
                .isEmpty();
        assertThat(another().tryLock(key, TTL)).isEmpty();
        slow.subscriptions().letGo();
        granted(other);
    }

    @Test
    void otherTerms_neverShareALease() {
        List<Consumer<LockOptions.Builder>> others = List.of(
                options -> options.ttl(TTL.plusSeconds(1)),
                options -> options.ttl(TTL).fencing(false),
                options -> options.ttl(TTL).renew(true),
                options -> options.ttl(TTL).retain(ms(50)));
        Holdfast process = listener();
        for (Consumer<LockOptions.Builder> terms : others) {
            Lease first = acquire(process, options -> options.ttl(TTL));
            CompletableFuture<Lease> second = queue(process, terms);

            first.release();

            Lease next = granted(second);
            assertThat(next.token()).isNotEqualTo(first.token());
            assertThat(next.isHeld()).isTrue();
            next.release();
            await().until(() -> !backdoor.exists(lockKey()));
        }
    }

    @Test
    void ownersAndFairLocks_standInTheQueueThemselves() {
        Lease holder = acquire(locks, options -> options.ttl(TTL));
        Holdfast process = listener();
        CompletableFuture<Lease> first =
                queue(process, options -> options.ttl(TTL).owner("a"));
        CompletableFuture<Lease> second =
                queue(process, options -> options.ttl(TTL).owner("b"));
        CompletableFuture<Lease> third =
                queue(process, options -> options.ttl(TTL).fair(true));
        CompletableFuture<Lease> fourth =
                queue(process, options -> options.ttl(TTL).fair(true));
        assertThat(queued()).hasSize(4);

        holder.release();

        Lease before = holder;
        for (CompletableFuture<Lease> waiter : List.of(first, second, third, fourth)) {
            Lease lease = granted(waiter);
            assertThat(lease.fencingToken()).isGreaterThan(before.fencingToken());
            lease.release();
            before = lease;
        }
        assertNothingLeft();
    }

    @Test
    void manyThreadsOfSeveralProcesses_areNeverInsideTogether() throws Exception {
        List<Long> fences = new ArrayList<>(); // guarded by the lock under test, and by nothing else
        int[] inside = new int[2];
        List<Worker<Boolean>> threads = new ArrayList<>();
        for (int process = 0; process < 3; process++) {
            DistributedLock lock = listener().lock(key, options -> options.ttl(TTL));
            for (int thread = 0; thread < 4; thread++) {
                threads.add(Worker.start(() -> {
                    for (int i = 0; i < 40; i++) {
                        try (Lease lease = lock.acquire(TTL)) {
                            inside[0]++;
                            fences.add(lease.fencingToken());
                            inside[1] = Math.max(inside[1], inside[0]);
                            inside[0]--;
                        }
                    }
                    return true;
                }));
            }
        }
        for (Worker<Boolean> thread : threads) {
            thread.result();
        }
        assertThat(inside[1]).as("at most, at once").isEqualTo(1);
        assertThat(fences).hasSize(3 * 4 * 40).isSorted().doesNotHaveDuplicates();
        assertNothingLeft();
    }
}
