// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.spi.InMemoryBackend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real locks in memory on a clock moved by hand: who is told what of one acquire. */
class EventsTest {
    private static final Duration TTL = Duration.ofSeconds(10);

    private final HandClock clock = new HandClock();
    private final InMemoryBackend store = new InMemoryBackend(clock);
    private final Following following = new Following();
    private final Holdfast locks = Holdfast.builder()
            .backend(store)
            .clock(clock)
            .closeWait(Duration.ZERO)
            .listener(following)
            .build();

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void acquiring_isToldOnTheCallersThreadBeforeAnythingElse() {
        assertThat(locks.tryLock("order:1", TTL)).isPresent();

        assertThat(following.threads).containsExactly(Thread.currentThread());
        assertThat(following.all).containsExactly("acquiring order:1", "acquired order:1");
    }

    @Test
    void follower_isToldOfItsOwnAcquireAndLeaseOnly() {
        Lease first = locks.tryLock("order:1", TTL).orElseThrow();
        assertThat(locks.tryLock("order:1", TTL)).isEmpty();
        Lease other = locks.tryLock("order:2", TTL).orElseThrow();
        first.renew(TTL);
        first.release();
        other.release();

        assertThat(following.followers).hasSize(3);
        assertThat(following.followers.get(0).told).containsExactly("acquired", "renewed", "released");
        assertThat(following.followers.get(1).told).containsExactly("timedOut");
        assertThat(following.followers.get(2).told).containsExactly("acquired", "released");
    }

    @Test
    void follower_isToldOfTheLoss() {
        Lease lease = locks.tryLock("order:1", TTL).orElseThrow();
        clock.advanceUnnoticed(TTL);
        assertThat(lease.isHeld()).isFalse();
        lease.release();

        assertThat(following.followers.get(0).told).containsExactly("acquired", "lost");
    }

    @Test
    void follower_isToldOfAReleaseThatFreesTheLockLater() {
        assertThat(locks.tryLock("order:1", TTL).orElseThrow().releaseAfter(Duration.ofSeconds(1)))
                .isTrue();

        assertThat(following.followers.get(0).told).containsExactly("acquired", "released");
    }

    @Test
    void lockThatWasKept_isToldOfLikeAnyOther() {
        DistributedLock kept = locks.lock("order:1", options -> options.retain(Duration.ofSeconds(1)));
        for (int i = 0; i < 2; i++) {
            Lease lease = kept.acquire(TTL);
            clock.advanceUnnoticed(Duration.ofMillis(3));
            lease.release();
        }

        assertThat(following.all.subList(0, 2)).containsExactly("acquiring order:1", "acquired order:1");
        assertThat(following.followers)
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.told).containsExactly("acquired", "released"));
        assertThat(following.released).extracting(LockEvent::elapsed).containsOnly(Duration.ofMillis(3));
    }

    /** Threads of a process pass the lock on in memory, also when they named it differently. */
    @Test
    void released_byOneWhoGotItInMemory_hasThatOnesOptions() {
        Lease first = locks.lock("order:1", options -> options.label("first")).acquire(TTL);
        CompletableFuture<Lease> second = locks.lock(
                        "order:1", options -> options.label("second").wait(TTL))
                .acquireAsync();
        first.release();
        second.join().release();

        assertThat(following.released)
                .extracting(event -> event.options().label().orElseThrow())
                .containsExactly("first", "second");
    }

    @Test
    void waited_isTheTimeSinceAnotherHolderWasFound() {
        Lease holder = locks.tryLock("order:1", TTL).orElseThrow();
        CompletableFuture<Lease> waiter = waiting();
        clock.advanceUnnoticed(Duration.ofSeconds(3));
        holder.release();
        waiter.join();

        List<LockEvent> acquired = following.acquired;
        assertThat(acquired.get(0).waited()).isEqualTo(Duration.ZERO);
        assertThat(acquired.get(1).waited()).isEqualTo(Duration.ofSeconds(3));
        assertThat(following.followers.get(1).told).containsExactly("contended", "acquired");
    }

    @Test
    void abandoned_isToldOfACancelledAcquire() {
        assertThat(locks.tryLock("order:1", TTL)).isPresent();
        waiting().cancel(false);

        awaitTold("contended", "abandoned");
    }

    @Test
    void abandoned_isToldOfACallerThatWasInterruptedBeforehand() {
        DistributedLock lock = locks.lock("order:1");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> lock.acquire(TTL)).isInstanceOf(LockNotAcquiredException.class);
        assertThat(Thread.interrupted()).isTrue();

        assertThat(following.followers.get(0).told).containsExactly("abandoned");
    }

    @Test
    void abandoned_isToldOfWaitersWhenClosed() {
        assertThat(locks.tryLock("order:1", TTL)).isPresent();
        waiting();
        locks.close();

        awaitTold("contended", "abandoned");
    }

    @Test
    void acquiring_thatThrows_doesNoHarm() {
        following.broken = true;

        assertThat(locks.tryLock("order:1", TTL)).isPresent();
        assertThat(following.all).containsExactly("acquiring order:1", "acquired order:1");
    }

    private CompletableFuture<Lease> waiting() {
        CompletableFuture<Lease> waiter = locks.lock("order:1", options -> options.wait(Duration.ofMinutes(1)))
                .acquireAsync();
        awaitTold("contended");
        return waiter;
    }

    /** An acquire that nobody waits for may be told of by another thread. */
    private void awaitTold(String... events) {
        await().untilAsserted(() -> assertThat(following.followers.get(1).told).containsExactly(events));
    }

    private static final class Following implements LockListener {
        private final List<String> all = new CopyOnWriteArrayList<>();
        private final List<Thread> threads = new CopyOnWriteArrayList<>();
        private final List<LockEvent> acquired = new CopyOnWriteArrayList<>();
        private final List<LockEvent> released = new CopyOnWriteArrayList<>();
        private final List<Follower> followers = new CopyOnWriteArrayList<>();
        private boolean broken;

        @Override
        public LockListener acquiring(String key, LockOptions options) {
            all.add("acquiring " + key);
            threads.add(Thread.currentThread());
            if (broken) {
                throw new IllegalStateException("as the test asked for");
            }
            Follower follower = new Follower();
            followers.add(follower);
            return follower;
        }

        @Override
        public void acquired(LockEvent event) {
            all.add("acquired " + event.key());
            acquired.add(event);
        }

        @Override
        public void released(LockEvent event) {
            released.add(event);
        }
    }

    private static final class Follower implements LockListener {
        private final List<String> told = new CopyOnWriteArrayList<>();

        @Override
        public LockListener acquiring(String key, LockOptions options) {
            throw new AssertionError("a follower follows nobody else");
        }

        @Override
        public void acquired(LockEvent event) {
            told.add("acquired");
        }

        @Override
        public void contended(LockEvent event) {
            told.add("contended");
        }

        @Override
        public void timedOut(LockEvent event) {
            told.add("timedOut");
        }

        @Override
        public void abandoned(LockEvent event) {
            told.add("abandoned");
        }

        @Override
        public void renewed(LockEvent event) {
            told.add("renewed");
        }

        @Override
        public void lost(LockEvent event) {
            told.add("lost");
        }

        @Override
        public void released(LockEvent event) {
            told.add("released");
        }
    }
}
