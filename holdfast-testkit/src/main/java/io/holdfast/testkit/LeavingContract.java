// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.LockOptions;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever leaves before its turn, by an interrupt, a deadline or a cancellation, leaves nothing and holds up nobody. */
@NullUnmarked
@SuppressWarnings("LockNotBeforeTry") // a test that fails closes the Holdfast, which ends its locks
public abstract class LeavingContract extends WaitingContract {
    private static final Duration LONG = Duration.ofMinutes(1);

    /** Where it is waited for the lock. */
    enum Place {
        BEHIND_ITS_OWN_PROCESS,
        BEHIND_ANOTHER_PROCESS,
        IN_A_FAIR_LINE,
        AS_AN_OWNER;

        void terms(LockOptions.Builder options) {
            options.ttl(TTL).fair(this == IN_A_FAIR_LINE);
            if (this == AS_AN_OWNER) {
                options.owner("worker-7");
            }
        }
    }

    private record End(Throwable thrown, boolean flag) {}

    private Holdfast process;
    private DistributedLock lock;
    private Lease holder;

    private void hold(Place place) {
        process = listener();
        lock = process.lock(key, place::terms);
        Holdfast holding = place == Place.BEHIND_ITS_OWN_PROCESS ? process : locks;
        holder = holding.tryLock(key, TTL, LONG).orElseThrow();
    }

    private <T> Worker<T> waiter(Callable<T> wait) {
        int before = haveWaited(process);
        Worker<T> worker = Worker.start(wait);
        await().until(() -> haveWaited(process) > before);
        return worker;
    }

    private End interrupted(Callable<?> wait) throws Exception {
        Worker<End> worker = waiter(() -> {
            Throwable thrown = catchThrowable(wait::call);
            return new End(thrown, Thread.currentThread().isInterrupted());
        });
        worker.interrupt();
        return worker.result();
    }

    /** Nobody is left in line; the next who comes gets the lock in its turn, and then there is nothing. */
    private void assertTheNextGetsIt(Place place) {
        await().until(() -> process.waitingAcquires() == 0 && queued().isEmpty());
        CompletableFuture<Lease> next = lineUp(process, place::terms);
        assertThat(holder.release()).isTrue();
        assertThat(granted(next).release()).isTrue();
        assertNothingLeft();
    }

    /** The server was out of reach when it left, and its next try to say so is a second away. */
    @Test
    void waiterThatCouldNotSayThatItLeft_passesTheLockOnAsSoonAsItIsGivenIt() {
        TamperingConnector network = network();
        Lease held = locks.tryLock(key, TTL, LONG).orElseThrow();
        CompletableFuture<Lease> leaving = queue(listener(network));
        network.when(LeavingContract::isAbandon).fail(RedisConnectionException.noReply("cut off", null));
        leaving.cancel(false);
        await().until(() -> network.asked(LeavingContract::isAbandon).size() == 3);
        CompletableFuture<Lease> next = queue(listener());
        network.calm();

        long released = System.nanoTime();
        assertThat(held.release()).isTrue();
        Lease lease = granted(next);
        assertThat(Duration.ofNanos(System.nanoTime() - released)).isLessThan(ms(600));
        assertThat(lease.release()).isTrue();
    }

    /** Its next try is two seconds away when the outage is over. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void waiterThatCouldNotSayThatItLeft_saysSoAsSoonAsRedisIsBack(boolean isHeardAgain) {
        TamperingConnector network = network();
        Holdfast cutOff = listener(network);
        Lease held = locks.tryLock(key, TTL, LONG).orElseThrow();
        CompletableFuture<Lease> leaving = queue(cutOff);
        network.when(LeavingContract::isAbandon).fail(RedisConnectionException.noReply("cut off", null));
        leaving.cancel(false);
        await().until(() -> network.asked(LeavingContract::isAbandon).size() == 4);
        network.calm();

        long back = System.nanoTime();
        if (isHeardAgain) {
            network.subscriptions().breakAll(); // and opened again
        } else {
            cutOff.tryLock(key + ":any", TTL).orElseThrow().release(); // is answered
        }
        await().until(() -> queued().isEmpty());

        assertThat(Duration.ofNanos(System.nanoTime() - back)).isLessThan(ms(1_200));
        assertThat(held.release()).isTrue();
    }

    private static boolean isAbandon(RedisCommand command) {
        return Verbs.of(command).equals("abandon");
    }

    @ParameterizedTest
    @EnumSource
    void lockInterruptibly_andTimedTryLock_interrupted_throw(Place place) throws Exception {
        hold(place);
        List<Callable<?>> faces = List.of(
                () -> {
                    lock.lockInterruptibly();
                    return true;
                },
                () -> lock.tryLock(1, TimeUnit.MINUTES));
        for (Callable<?> face : faces) {
            End end = interrupted(face);
            assertThat(end.thrown()).isInstanceOf(InterruptedException.class);
            assertThat(end.flag()).as("cleared, as the exception tells it").isFalse();
        }
        assertTheNextGetsIt(place);
    }

    @ParameterizedTest
    @EnumSource
    void tokenFaces_interrupted_throwNotAcquiredWithTheFlagSet(Place place) throws Exception {
        hold(place);
        List<Callable<?>> faces = List.of(
                () -> lock.acquire(LONG),
                () -> lock.tryAcquire(LONG),
                () -> process.tryLock(key, TTL, LONG),
                () -> process.withLock(key, TTL, LONG, () -> "the block ran"));
        for (Callable<?> face : faces) {
            End end = interrupted(face);
            assertThat(end.thrown())
                    .isInstanceOf(LockNotAcquiredException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(end.flag()).isTrue();
        }
        assertTheNextGetsIt(place);
    }

    @ParameterizedTest
    @EnumSource
    void lock_interrupted_goesOnWaitingAndRestoresTheFlag(Place place) throws Exception {
        hold(place);
        Worker<Boolean> waiter = waiter(() -> {
            lock.lock();
            boolean flag = Thread.interrupted();
            lock.unlock();
            return flag;
        });
        waiter.interrupt();
        elapse(ms(30));
        waiter.interrupt();
        elapse(ms(30));
        assertThat(waiter.isDone()).isFalse();

        assertThat(holder.release()).isTrue();

        assertThat(waiter.result()).as("the flag, after lock()").isTrue();
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void cancelledOrOutOfTime_leaveTheLine(Place place) throws Exception {
        hold(place);
        Worker<Boolean> outOfTime = Worker.start(() -> lock.tryAcquire(ms(400)).isPresent());
        CompletableFuture<Lease> cancelled = lineUp(process, place::terms);
        CompletableFuture<Lease> timedOut = lineUp(process, place::terms).orTimeout(100, TimeUnit.MILLISECONDS);

        assertThat(cancelled.cancel(true)).isTrue();

        assertThat(outOfTime.result()).isFalse();
        await().until(timedOut::isCompletedExceptionally);
        assertTheNextGetsIt(place);
    }

    @Test
    void threadsInOneLine_thatLeave_letTheOthersMoveUp() {
        hold(Place.BEHIND_ITS_OWN_PROCESS);
        List<CompletableFuture<Lease>> line = Stream.generate(() -> lineUp(process, options -> options.ttl(TTL)))
                .limit(4)
                .toList();

        line.get(2).cancel(true);
        line.get(0).cancel(true);

        holder.release();
        assertThat(granted(line.get(1)).release()).isTrue();
        assertThat(granted(line.get(3)).release()).isTrue();
        assertNothingLeft();
    }

    @Test
    void deadline_isOneFromTheStart_alsoForOneThatHasToAskRedisLater() {
        hold(Place.BEHIND_ITS_OWN_PROCESS);
        backdoor.delete(lockKey());
        Lease other = hold(locks);
        long start = System.nanoTime();
        CompletableFuture<Lease> waiter =
                lineUp(process, options -> options.ttl(TTL).wait(ms(600)));
        elapse(ms(200));
        assertThat(holder.renew(TTL)).as("lost, so the waiter asks for itself").isFalse();

        await().until(waiter::isDone);

        assertThat(waiter).isCompletedExceptionally();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(ms(600), Duration.ofSeconds(5));
        assertThat(backdoor.get(lockKey())).isEqualTo(other.token());
        await().until(() -> queued().isEmpty());
    }

    @Test
    void interruptedWithTheLockOnItsWay_passesItOn() throws Exception {
        TamperingConnector network = network();
        process = listener(network);
        holder = hold(locks);
        Worker<End> first = waiter(() -> {
            Throwable thrown = catchThrowable(() -> process.lock(key).lockInterruptibly());
            return new End(thrown, Thread.currentThread().isInterrupted());
        });
        CompletableFuture<Lease> second = queue(listener());
        List<String> order = queued();
        network.subscriptions().holdMessages();
        try (Monitor monitor = monitor()) {
            holder.release();
            assertThat(backdoor.get(lockKey())).contains(id(order.get(0)));

            first.interrupt();

            assertThat(first.result().thrown()).isInstanceOf(InterruptedException.class);
            granted(second).release();
            assertThat(toldOfTheirTurn(monitor)).containsExactly(id(order.get(0)), id(order.get(1)));
        }
        assertNothingLeft();
    }

    @Test
    void tokenOfOneThatLeft_isNeverSentAgain() {
        TamperingConnector network = network();
        process = listener(network);
        holder = hold(locks);
        String channel = channel(process);
        CompletableFuture<Lease> leaver = queue(process);
        String id = id(queued().get(0));

        leaver.cancel(true);

        await().until(() -> queued().isEmpty());
        int sent = ofToken(network, id).size();
        for (int i = 0; i < 10; i++) {
            raw().call("PUBLISH", channel, "g" + id);
            raw().call("PUBLISH", channel, "w" + id);
        }
        elapse(ms(100));
        assertThat(ofToken(network, id)).hasSize(sent);
        holder.release();
        assertNothingLeft();
    }

    private static List<RedisCommand> ofToken(TamperingConnector network, String id) {
        return network.asked(command ->
                Verbs.isAcquire(command) && command.words().toString().contains(id));
    }
}
