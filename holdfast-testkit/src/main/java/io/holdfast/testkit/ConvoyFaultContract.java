// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockOptions;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Callers that go into the queue of a fair lock with a release, when that release does not go as it should. */
@NullUnmarked
public abstract class ConvoyFaultContract extends ConvoyFixture {
    private static final Duration SHORT_TTL = Duration.ofSeconds(1);

    @Test
    void oneThatLeavesWithTheReleaseUnderWay_keepsNobodyWaiting() {
        Lease holder = held(one);
        List<CompletableFuture<Lease>> waiters = heldBack(2);
        network.when(Verbs::isRelease).once().stall();
        CompletableFuture<Boolean> released = holder.releaseAsync();
        await().until(() -> network.underWay() == 1);
        waiters.get(0).cancel(true);

        network.letGo();

        assertThat(granted(waiters.get(1)).release()).isTrue();
        await().until(released::isDone);
        assertThat(released).isCompletedWithValue(true);
        assertNothingLeftInTheEnd();
    }

    @Test
    void releaseThatFails_letsThemAskByThemselves() {
        Lease holder = held(one);
        List<CompletableFuture<Lease>> waiters = heldBack(2);
        network.when(Verbs::isRelease).times(2).fail(RedisConnectionException.notSent("cut off", null));

        assertThat(holder.releaseAsync()).failsWithin(TTL).withThrowableOfType(ExecutionException.class);

        await().until(() -> waiters.stream().anyMatch(CompletableFuture::isDone));
        releaseAsTheyCome(waiters);
        assertNothingLeftInTheEnd();
    }

    @Test
    void releaseWhoseAnswerIsLost_servesThemOnce() {
        Lease holder = held(one);
        List<CompletableFuture<Lease>> waiters = heldBack(2);
        network.when(Verbs::isRelease).once().loseReply();

        assertThat(holder.release()).isTrue();

        releaseAsTheyCome(waiters);
        assertNothingLeftInTheEnd();
    }

    @Test
    void copyOfTheReleaseThatComesLate_leavesNothingBehind() {
        Lease holder = held(one);
        List<CompletableFuture<Lease>> waiters = heldBack(2);
        network.when(Verbs::isRelease).once().holdBack();
        assertThat(holder.release()).isTrue();
        releaseAsTheyCome(waiters);

        network.letGo();

        assertNothingLeftInTheEnd();
    }

    @Test
    void lostHold_letsThemAskByThemselves() {
        Lease holder = held(one);
        List<CompletableFuture<Lease>> waiters = heldBack(2);
        backdoor.delete(lockKey());

        assertThat(holder.renew(TTL)).isFalse();

        await().until(() -> waiters.stream().anyMatch(CompletableFuture::isDone));
        releaseAsTheyCome(waiters);
        assertNothingLeftInTheEnd();
    }

    @Test
    void redisThatDoesNotAnswer_isNotCalledBusy() {
        held(locks);
        CompletableFuture<Lease> sibling = queue(one, ConvoyFixture::fair);
        CompletableFuture<Lease> waiter = lineUp(one, fairFor(ms(500)));
        network.when(Verbs::isAcquire).stall();
        clock.advance(LONGEST);
        await().until(() -> network.underWay() == 1);

        clock.advance(ms(500));

        assertThat(waiter).failsWithin(TTL).withThrowableThat().withCauseInstanceOf(LockBackendException.class);
        assertThat(sibling).isNotDone();
        network.calm();
    }

    @Test
    void turnThatComesBeforeTheReleaseIsAnswered_isTaken() {
        Lease holder = held(one);
        CompletableFuture<Lease> other = queue(listener(), ConvoyFixture::fair);
        List<CompletableFuture<Lease>> waiters = heldBack(2);
        network.when(Verbs::isRelease).once().stallReply();
        CompletableFuture<Boolean> released = holder.releaseAsync();

        granted(other).release();

        releaseAsTheyCome(waiters);
        assertThat(released).isNotDone();
        network.letGo();
        assertNothingLeftInTheEnd();
    }

    @Test
    void grantInAnAnswerThatDoesNotCome_isAskedForAMomentLater() {
        Lease holder = held(one);
        List<CompletableFuture<Lease>> waiters = heldBack(2);
        network.when(Verbs::isRelease).once().stallReply();
        CompletableFuture<Boolean> released = holder.releaseAsync();
        await().until(() -> !backdoor.get(lockKey()).startsWith(holder.token()));

        clock.advance(ms(100));

        assertThat(granted(waiters.get(0)).isHeld()).isTrue();
        assertThat(released).isNotDone();
        network.letGo();
        releaseAsTheyCome(waiters);
        assertNothingLeftInTheEnd();
    }

    @Test
    void releaseSentAgain_leavesOutThoseWhoLeftMeanwhile() {
        Lease holder = held(one);
        List<CompletableFuture<Lease>> waiters = heldBack(2);
        network.when(command -> Verbs.isRelease(command) && leave(waiters))
                .once()
                .fail(RedisConnectionException.noReply("cut off", null));

        assertThat(holder.release()).isTrue();

        List<RedisCommand> releases = network.asked(Verbs::isRelease);
        assertThat(releases.get(releases.size() - 1).words()).noneMatch(word -> word.startsWith("F"));
        assertNothingLeftInTheEnd();
    }

    private static boolean leave(List<CompletableFuture<Lease>> waiters) {
        waiters.forEach(waiter -> waiter.cancel(true));
        return true;
    }

    @Test
    void releaseThatArrivesAfterTheyLeftAndWereCleanedUp_keepsNobodyWaiting() {
        Lease holder = one.lock(key, ConvoyFaultContract::fairShort).acquire();
        List<CompletableFuture<Lease>> waiters = List.of(
                lineUp(one, ConvoyFaultContract::fairShort),
                lineUp(one, ConvoyFaultContract::fairShort),
                lineUp(one, ConvoyFaultContract::fairShort),
                lineUp(one, ConvoyFaultContract::fairShort));
        network.when(Verbs::isRelease).once().stall();
        CompletableFuture<Boolean> released = holder.releaseAsync();
        await().until(() -> network.underWay() == 1);
        leave(waiters);
        await().until(() -> abandoned() >= waiters.size());
        AtomicInteger quiet = new AtomicInteger();
        await().until(() -> {
            int before = abandoned();
            clock.advance(ms(200));
            return quiet.updateAndGet(times -> abandoned() == before ? times + 1 : 0)
                    > 6; // more than a TTL without one
        });

        network.letGo();

        await().until(released::isDone);
        assertThat(listener()
                        .lock(key, options -> options.fair(true).ttl(TTL).wait(Duration.ofSeconds(2)))
                        .tryAcquire())
                .isPresent();
    }

    private static void fairShort(LockOptions.Builder options) {
        options.ttl(SHORT_TTL).fair(true).wait(TTL);
    }

    private int abandoned() {
        return network.asked(command -> Verbs.of(command).equals("abandon")).size();
    }

    @Test
    void closedWithTheReleaseUnderWay_theReleaseEnds() {
        Lease holder = held(one);
        CompletableFuture<Lease> waiter = // without a thread of its own
                one.lock(key, fairFor(TTL)).acquireAsync().toCompletableFuture();
        await().until(() -> haveWaited(one) == 1);
        network.when(Verbs::isRelease).once().stall();
        CompletableFuture<Boolean> released = holder.releaseAsync();
        await().until(() -> network.underWay() == 1);

        one.close();
        network.letGo();

        assertThat(released).failsWithin(TTL).withThrowableOfType(ExecutionException.class);
        assertThat(waiter).failsWithin(TTL).withThrowableOfType(ExecutionException.class);
    }

    @Test
    void lateReleaseThatTakesNobodyAlong_tellsTheHolderNothing() {
        Lease lost = held(one);
        queue(listener(), ConvoyFixture::fair).cancel(true);
        await().until(() -> queued().isEmpty());
        backdoor.delete(lockKey());
        Lease holder = held(listener());
        try (Monitor monitor = monitor()) {
            assertThat(lost.release()).isFalse();

            assertThat(published(monitor, "w")).isEmpty();
        }
        assertThat(holder.release()).isTrue();
    }
}
