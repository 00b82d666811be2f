// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What only a poll can find, and how seldom those who are told poll. */
@NullUnmarked
public abstract class SlowWaitingContract extends WaitingContract {
    /** The safety poll, its jitter, and a busy machine. */
    private static final Duration A_POLL = ms(2_200 + 1_800);
    /** A lock passed on to one that does not take it. */
    private static final Duration PROVISIONAL = ms(1_000);

    private TamperingConnector network;
    private Lease holder;
    private CompletableFuture<Lease> waiter;

    @BeforeEach
    void holdAndWait() {
        holder = hold(locks);
        network = network();
        waiter = queue(listener(network));
    }

    @Test
    void waiterThatIsTold_pollsNoMoreThanOnceASecond() {
        int before = network.asked(Verbs::isAcquire).size();
        elapse(Duration.ofSeconds(4));

        assertThat(network.asked(Verbs::isAcquire).size() - before).isBetween(1, 4);
        assertThat(queued()).hasSize(1);
        assertThat(backdoor.pttl(queueKey())).as("kept alive by its polls").isGreaterThan(57_000);
    }

    @Test
    void lockDeletedByAForeigner_isFoundByThePoll() {
        long start = System.nanoTime();
        backdoor.delete(lockKey());

        granted(waiter);

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(A_POLL);
        assertThat(queued()).isEmpty();
    }

    @Test
    void messageLostOnPurpose_costsTimeOnly() {
        network.subscriptions().dropMessages(1);
        long start = System.nanoTime();
        holder.release();

        Lease lease = granted(waiter);

        assertThat(network.subscriptions().dropped()).isEqualTo(1);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PROVISIONAL.plus(A_POLL));
        assertThat(lease.fencingToken()).isGreaterThan(holder.fencingToken());
    }

    @Test
    void deafWaiter_holdsUpTheNextByTheProvisionalLeaseAndAPoll() {
        network.subscriptions().dropMessages();
        CompletableFuture<Lease> next = queue(listener());
        long start = System.nanoTime();
        holder.release();

        Lease lease = next.isDone() ? next.join() : eitherOf(waiter, next);

        assertThat(lease.isHeld()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PROVISIONAL.plus(A_POLL));
        lease.release();
        granted(waiter);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isLessThan(PROVISIONAL.plus(A_POLL).multipliedBy(3));
    }

    private static Lease eitherOf(CompletableFuture<Lease> one, CompletableFuture<Lease> other) {
        await().until(() -> one.isDone() || other.isDone());
        return one.isDone() ? one.join() : other.join();
    }

    @Test
    void halfOpenWaiter_isTakenOffTheQueueAndStillGetsTheLock() {
        CompletableFuture<Lease> next = queue(listener());
        String entry = queued().get(0);
        network.subscriptions().halfOpen();
        await().until(() -> network.subscriptions().opened() > 1);
        await().until(() -> queued().size() == 2 && queued().get(1).equals(entry));

        holder.release();

        granted(next).release();
        granted(waiter);
    }
}
