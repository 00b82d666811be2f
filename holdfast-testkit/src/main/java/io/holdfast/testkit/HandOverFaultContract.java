// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Passing a lock on while commands are lost or late, callers leave and threads are held up. */
@NullUnmarked
public abstract class HandOverFaultContract extends WaitingContract {
    /** Much less than the TTL. */
    private static final Duration SOON = Duration.ofSeconds(10);

    /** A lock that goes to other processes at once when they want it. */
    private static void polite(LockOptions.Builder options) {
        options.ttl(TTL).handOverTime(Duration.ZERO);
    }

    /** Has the lock pass to that process, and with it the word that others want it too. */
    private Lease holdWanted(Holdfast process, Runnable others) {
        Lease before = hold(locks);
        CompletableFuture<Lease> holder = queue(process, HandOverFaultContract::polite);
        others.run();
        before.release();
        return granted(holder);
    }

    /** One more that waits in the process that holds the lock, and so not in Redis. */
    private CompletableFuture<Lease> behindHolder(Holdfast process) {
        return lineUp(process, HandOverFaultContract::polite);
    }

    @Test
    void releaseThatRejoins_repeatedAfterItsReplyWasLost_grantsNoLongerThanTheKeyLives() {
        TamperingConnector network = network();
        Holdfast process = listener(network);
        AtomicReference<CompletableFuture<Lease>> other = new AtomicReference<>();
        Lease holder = holdWanted(process, () -> other.set(queue(listener())));
        CompletableFuture<Lease> local = behindHolder(process);
        AtomicReference<String> passedOn = new AtomicReference<>("");
        network.when(Verbs::isRelease).once().loseReply();
        network.when(Verbs::isRelease)
                .once()
                .first(
                        () -> { // meanwhile it is the local one's turn, for a moment
                            granted(other.get()).release();
                            await().until(() -> String.valueOf(backdoor.get(lockKey()))
                                    .contains(holder.token().substring(22, 34)));
                            passedOn.set(backdoor.get(lockKey()));
                        });
        network.subscriptions().dropMessages(); // only the answer to the repeated release can tell

        assertThat(holder.release()).isTrue();

        Lease lease = granted(local);
        assertThat(lease.token()).as("what was passed on").isEqualTo(passedOn.get());
        assertThat(backdoor.get(lockKey())).isEqualTo(lease.token());
        long promised = lease.remaining().toMillis();
        assertThat(backdoor.pttl(lockKey())).isGreaterThanOrEqualTo(promised - 1);
    }

    @Test
    void releaseThatRejoins_arrivingLate_takesNothingForNobody() {
        TamperingConnector network = network();
        Holdfast process = listener(network);
        AtomicReference<CompletableFuture<Lease>> other = new AtomicReference<>();
        Lease holder = holdWanted(process, () -> other.set(queue(listener())));
        CompletableFuture<Lease> local = behindHolder(process);
        network.when(Verbs::isRelease).once().holdBack();
        assertThat(holder.release()).isTrue();
        granted(other.get()).release();
        assertThat(granted(local).release()).isTrue();
        await().until(() -> !backdoor.exists(lockKey()));

        assertThat(network.letGo()).hasSize(1).first().asString().contains("granted");

        await().atMost(SOON).until(() -> backdoor.keysContaining(key).isEmpty());
    }

    @Test
    void waiterPutIntoTheQueueByARelease_thatLeavesMeanwhile_leavesItsPlaceToTheNext() {
        TamperingConnector network = network();
        Holdfast process = listener(network);
        AtomicReference<CompletableFuture<Lease>> other = new AtomicReference<>();
        Lease holder = holdWanted(process, () -> other.set(queue(listener())));
        CompletableFuture<Lease> leaving = behindHolder(process);
        CompletableFuture<Lease> heir = behindHolder(process);
        network.when(Verbs::isRelease).once().delayReply(ms(150));
        CompletableFuture<Boolean> released = holder.releaseAsync();
        Lease next = granted(other.get());
        leaving.cancel(true);
        CompletableFuture<Lease> last = queue(listener());
        released.join();

        next.release();

        try (Monitor monitor = monitor()) {
            granted(heir).release();
            granted(last).release();
            assertThat(toldOfTheirTurn(monitor)).as("the last one only").hasSizeLessThanOrEqualTo(2);
        }
        assertNothingLeft();
    }

    @Test
    void cancelledBeforeItBegan_doesNotBlockTheOthersOfItsProcess() {
        DistributedLock lock = locks.lock(key, options -> options.ttl(TTL).wait(SOON));
        for (int i = 0; i < 50; i++) {
            CompletableFuture<Lease> waiter = lock.acquireAsync();
            if (!waiter.cancel(true)) { // it was faster
                waiter.join().release();
            }
        }
        assertThat(lock.tryAcquire(SOON)).isPresent();
    }

    @Test
    void renewalOfALeaseThatWasPassedOnMeanwhile_doesNotShortenTheNextOne() throws Exception {
        TamperingConnector network = network();
        Holdfast process = listener(network);
        Lease first = process.lock(key, HandOverFaultContract::polite).acquire(SOON);
        CompletableFuture<Lease> second = behindHolder(process);
        network.when(Verbs::isRenew).once().stall();
        Worker<Boolean> renewal = Worker.start(() -> first.renew(ms(300)));
        await().until(() -> network.underWay() == 1);
        first.release();
        Lease next = granted(second);

        network.letGo();

        assertThat(renewal.result()).isIn(true, false);
        assertThat(next.remaining()).isGreaterThan(TTL.dividedBy(2));
        assertThat(next.isHeld()).isTrue();
    }

    /** Holds up a thread between its coming to the gate and its first wait. */
    private static final class HeldUp implements LockListener {
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final AtomicBoolean next = new AtomicBoolean();
        private volatile boolean there;

        @Override
        public void contended(LockEvent event) {
            if (next.getAndSet(false)) {
                there = true;
                await().until(() -> goOn.getCount() == 0);
            }
        }
    }

    @Test
    void threadThatIsHeldUpWhenItIsCalled_doesNotHoldUpThoseBehindIt() throws Exception {
        HeldUp heldUp = new HeldUp();
        Holdfast process = listener(builder -> builder.listener(heldUp));
        Lease holder = process.tryLock(key, TTL, SOON).orElseThrow();
        heldUp.next.set(true);
        Worker<Boolean> first =
                Worker.start(() -> process.tryLock(key, TTL, ms(300)).isPresent());
        await().until(() -> heldUp.there);
        CompletableFuture<Lease> second = lineUp(process, options -> options.ttl(TTL));

        holder.release(); // calls the first, which does not come before its time is up

        Lease next = granted(second);
        heldUp.goOn.countDown();
        assertThat(first.result()).isFalse();
        int before = haveWaited(process);
        Worker<Boolean> third =
                Worker.start(() -> process.tryLock(key, TTL, SOON).isPresent());
        await().until(() -> haveWaited(process) > before);
        next.release();
        assertThat(third.result()).isTrue();
    }

    @Test
    void threadThatIsHeldUpWhenTheLockIsLost_doesNotHoldUpThoseBehindIt() throws Exception {
        HeldUp heldUp = new HeldUp();
        Holdfast process = listener(builder -> builder.listener(heldUp));
        Lease holder = process.tryLock(key, TTL, SOON).orElseThrow();
        heldUp.next.set(true);
        Worker<Boolean> first =
                Worker.start(() -> process.tryLock(key, TTL, SOON).orElseThrow().release());
        await().until(() -> heldUp.there);
        holder.release();
        Lease overtaker = process.tryLock(key, TTL, SOON).orElseThrow();
        backdoor.delete(lockKey());
        assertThat(overtaker.renew(TTL)).as("lost, so the first asks").isFalse();
        int before = haveWaited(process);
        Worker<Boolean> second =
                Worker.start(() -> process.tryLock(key, TTL, SOON).orElseThrow().release());
        await().until(() -> haveWaited(process) > before);

        heldUp.goOn.countDown();

        assertThat(first.result()).isTrue();
        assertThat(second.result()).isTrue();
    }
}
