// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** A lock kept for a moment after its release, for whoever of the same process wants it next; others get it at once. */
@NullUnmarked
public abstract class RetainContract extends WaitingContract {
    private static final Duration SOON = Duration.ofSeconds(10);
    /** Longer than a test: what is given up was asked for. */
    private static final Duration LONG = Duration.ofSeconds(25);

    private DistributedLock retaining(Holdfast process, Duration window) {
        return process.lock(key, options -> options.ttl(TTL).renew(true).retain(window));
    }

    @Test
    void takenAgainWithinTheWindow_costsNoCommandAndBringsHigherTokens() {
        DistributedLock lock = retaining(listener(), LONG);
        Lease last = lock.acquire();
        String value = backdoor.get(lockKey());
        try (Monitor monitor = monitor()) {
            for (int i = 0; i < 50; i++) {
                assertThat(last.release()).isTrue();
                assertThat(last.isHeld()).isFalse();
                Lease next = i % 2 == 0 ? lock.acquire() : lock.acquire(SOON);
                assertThat(next.fencingToken()).isGreaterThan(last.fencingToken());
                assertThat(last.release()).as("a second release").isFalse();
                assertThat(next.isHeld()).isTrue();
                last = next;
            }
            assertThat(verbs(monitor)).isEmpty();
        }
        assertThat(backdoor.get(lockKey())).isEqualTo(value).isEqualTo(last.token());
    }

    @Test
    void anotherProcessThatWaits_getsItAtOnce() {
        Lease kept = retaining(listener(), LONG).acquire();
        kept.release();
        assertThat(backdoor.exists(lockKey())).as("kept").isTrue();
        Holdfast other = listener();
        try (Monitor monitor = monitor()) {
            Lease theirs = other.tryLock(key, TTL, SOON).orElseThrow();

            assertThat(published(monitor, "w")).as("one message").containsExactly(id(kept.token()));
            assertThat(toldOfTheirTurn(monitor)).containsExactly(id(theirs.token()));
            assertThat(verbs(monitor))
                    .as("no poll")
                    .startsWith("acquire", "abandon")
                    .hasSizeLessThanOrEqualTo(3);
            assertThat(backdoor.get(lockKey())).isEqualTo(theirs.token());
            assertThat(theirs.release()).isTrue();
        }
        assertNothingLeft();
    }

    @Test
    void anotherProcessThatTriesOnce_getsItTheNextTime() {
        Holdfast keeper = listener();
        Lease kept = retaining(keeper, LONG).acquire();
        kept.release();

        assertThat(locks.tryLock(key, TTL))
                .as("it does not wait for the answer")
                .isEmpty();

        await().atMost(SOON).until(() -> !backdoor.exists(lockKey()));
        Lease theirs = hold(locks);
        assertThat(theirs.fencingToken()).isGreaterThan(kept.fencingToken());
        assertThat(retaining(keeper, LONG).tryAcquire()).isEmpty();
    }

    @Test
    void lockThatIsWantedWhileHeld_isNotKept() {
        Lease holder = retaining(listener(), LONG).acquire();
        CompletableFuture<Lease> waiter = queue(listener());

        holder.release();

        assertThat(waiter).as("before it polls").succeedsWithin(ms(1_800));
    }

    @Test
    void afterTheWindow_itIsGivenUp() {
        Holdfast keeper = listener();
        Duration window = ms(600);
        DistributedLock lock = retaining(keeper, window);
        for (int i = 0; i < 3; i++) { // each release begins the window anew
            lock.acquire().release();
            long released = System.nanoTime();
            elapse(ms(220));
            boolean kept = backdoor.exists(lockKey());
            assertThat(kept || System.nanoTime() - released > window.toNanos()).isTrue();
        }
        await().atMost(SOON).until(() -> backdoor.keysContaining(key).isEmpty());
        assertThat(keeper.heldLeases()).isZero();
    }

    @Test
    void whileItIsKept_itIsNotRenewed_andAgainWhenUsed() {
        Holdfast keeper = listener();
        DistributedLock lock = keeper.lock(
                key,
                options -> options.ttl(ms(4_000)).renew(true).renewEvery(ms(50)).retain(ms(3_000)));
        lock.acquire().release();
        raw().call("PEXPIRE", lockKey(), "3000");
        try (Monitor monitor = monitor()) {
            elapse(ms(200));
            assertThat(verbs(monitor)).isEmpty();
        }
        assertThat(backdoor.pttl(lockKey())).isLessThan(3_000);

        Lease again = lock.acquire();

        await().atMost(SOON).until(() -> backdoor.pttl(lockKey()) > 3_100);
        assertThat(again.isHeld()).isTrue();
    }

    @Test
    void closedProcess_freesWhatItKept() {
        Holdfast keeper = listener(builder -> builder.closeWait(SOON));
        retaining(keeper, LONG).acquire().release();
        assertThat(backdoor.exists(lockKey())).isTrue();

        keeper.close();

        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    /** As for any lease: valid by this process's own clock, until something asks Redis. The token tells a store who was later. */
    @Test
    void keyDeletedWhileItIsKept_isNoticedByTheNextRenewal() {
        Holdfast keeper = listener();
        DistributedLock lock = retaining(keeper, LONG);
        lock.acquire().release();
        backdoor.delete(lockKey());
        Lease theirs = hold(locks);

        Lease again = lock.acquire();

        assertThat(again.renew(TTL)).isFalse();
        assertThat(again.isHeld()).isFalse();
        assertThat(again.fencingToken()).isLessThan(theirs.fencingToken());
        assertThat(backdoor.get(lockKey())).isEqualTo(theirs.token());
        theirs.release();
        assertThat(lock.acquire(SOON).fencingToken()).isGreaterThan(theirs.fencingToken());
    }
}
