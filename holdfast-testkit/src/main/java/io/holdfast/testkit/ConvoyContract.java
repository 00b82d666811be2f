// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/**
 * Callers of one process that want the same fair lock go into its queue together, with the next release by that process. Its
 * clock stands still, so that nobody asks alone because the machine is slow.
 */
@NullUnmarked
public abstract class ConvoyContract extends ConvoyFixture {

    /** Each has the lock in turn, on the grant of the first. */
    private void servedByOneGrant(List<CompletableFuture<Lease>> waiters) {
        Lease first = granted(waiters.get(0));
        for (CompletableFuture<Lease> waiter : waiters) {
            Lease lease = granted(waiter);
            assertThat(lease.isHeld()).isTrue();
            assertThat(id(lease.token())).isEqualTo(id(first.token()));
            assertThat(lease.release()).isTrue();
        }
    }

    @Test
    void release_takesThemAlong_andOneGrantServesThem() {
        Lease holder = held(one);
        List<CompletableFuture<Lease>> waiters = heldBack(3);
        try (Monitor monitor = monitor()) {
            assertThat(holder.release()).isTrue();
            servedByOneGrant(waiters);

            assertThat(verbs(monitor)).containsExactly("release", "release");
        }
        assertNothingLeft();
    }

    @Test
    void thoseOfAnotherProcessThatCameFirst_areFirst() {
        Lease holder = held(one);
        CompletableFuture<Lease> other = queue(listener(), ConvoyFixture::fair);
        List<CompletableFuture<Lease>> waiters = heldBack(3);

        assertThat(holder.release()).isTrue();

        Lease before = granted(other);
        assertThat(queued()).hasSize(3);
        CompletableFuture<Lease> last = queue(listener(), ConvoyFixture::fair);
        assertThat(before.release()).isTrue();
        servedByOneGrant(waiters);
        assertThat(granted(last).release()).isTrue();
        assertNothingLeft();
    }

    @Test
    void whileOthersHereWait_oneMoreIsHeldBackToo() {
        Lease holder = held(locks);
        CompletableFuture<Lease> first = queue(one, ConvoyFixture::fair);
        List<CompletableFuture<Lease>> second = heldBack(1);
        holder.release();

        assertThat(granted(first).release()).isTrue();

        assertThat(granted(second.get(0)).release()).isTrue();
        assertNothingLeft();
    }

    @Test
    void withoutARelease_eachAsksByItself() {
        Lease holder = held(one);
        List<CompletableFuture<Lease>> waiters = heldBack(2);

        clock.advance(LONGEST);

        await().until(() -> queued().size() == 2);
        holder.release();
        releaseAsTheyCome(waiters);
        assertNothingLeftInTheEnd();
    }

    @Test
    void oneThatComesRightAfterTheyLeft_standsNextToThem_andOnlyThatOne() {
        Lease holder = held(one);
        CompletableFuture<Lease> other = queue(listener(), ConvoyFixture::fair);
        List<CompletableFuture<Lease>> waiters = heldBack(2);
        holder.release();
        Lease before = granted(other);

        waiters.add(queue(one, ConvoyFixture::fair));
        List<CompletableFuture<Lease>> later = heldBack(1);

        before.release();
        servedByOneGrant(waiters);
        assertThat(granted(later.get(0)).release()).isTrue();
        assertNothingLeft();
    }

    @Test
    void oneThatLeft_isNotTakenAlong() {
        Lease holder = held(one);
        List<CompletableFuture<Lease>> waiters = heldBack(3);
        waiters.remove(0).cancel(true);
        waiters.remove(1).cancel(true);
        try (Monitor monitor = monitor()) {
            assertThat(holder.release()).isTrue();
            servedByOneGrant(waiters);

            assertThat(monitor.lines().stream().filter(line -> line.contains("ZADD")))
                    .hasSize(1);
        }
        assertNothingLeft();
    }

    @Test
    void moreThanOneGrantServes_doNotGoWithOneRelease() {
        Lease holder = held(one);
        List<CompletableFuture<Lease>> waiters = heldBack(40);

        holder.release();

        Lease first = granted(waiters.get(0));
        assertThat(queued()).hasSize(31);
        clock.advance(LONGEST);
        await().until(() -> queued().size() == 39);
        assertThat(first.isHeld()).isTrue();
        releaseAsTheyCome(waiters);
        assertNothingLeftInTheEnd();
    }

    @Test
    void holderThatTookTheLockUnseen_hearsThatItIsWanted() {
        Lease lost = held(one);
        List<CompletableFuture<Lease>> waiters = heldBack(2);
        backdoor.delete(lockKey());
        Lease holder = held(listener());

        assertThat(lost.release()).isFalse();

        assertThat(holder.release()).isTrue();
        await().until(() -> waiters.stream().anyMatch(CompletableFuture::isDone));
        releaseAsTheyCome(waiters);
        assertNothingLeftInTheEnd();
    }

    @Test
    void oneWithLittleTime_isNotHeldBack() {
        Lease holder = held(one);

        CompletableFuture<Lease> waiter = lineUp(one, fairFor(LONGEST.multipliedBy(10)));

        await().until(() -> queued().size() == 1);
        holder.release();
        granted(waiter).release();
    }

    @Test
    void exactKey_whichNobodyTakesAlong_isNotHeldBack() {
        Holdfast exact =
                listener(builder -> builder.connector(network).clock(clock).exactKeys());
        Lease holder = exact.lock(key, ConvoyFixture::fair).acquire();

        int before = network.asked(Verbs::isAcquire).size();

        CompletableFuture<Lease> waiter = waiting(exact, ConvoyFixture::fair);

        await().until(() -> network.asked(Verbs::isAcquire).size() > before);
        holder.release();
        granted(waiter).release();
    }
}
