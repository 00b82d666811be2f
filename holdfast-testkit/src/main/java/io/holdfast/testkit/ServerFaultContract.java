// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.FencedStore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockEvent;
import io.holdfast.LostReason;
import io.holdfast.embedded.EmbeddedRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server that does not answer or does not write for a time: put up with as long as the lease can still be saved, and told in
 * time when it can't (P3); after that the lock is another's, and only another's.
 */
@NullUnmarked
public abstract class ServerFaultContract extends WaitingContract {
    private static final Duration LEASE = ms(1_500);

    private final List<LostReason> told = new CopyOnWriteArrayList<>();
    private volatile long toldAt;
    private volatile boolean heldWhenTold;
    private EventRecorder events;
    private Holdfast process;

    @Override
    protected EmbeddedRedis server() {
        return ServerFault.start(target().version().builder());
    }

    @BeforeEach
    void connect() {
        events = new EventRecorder();
        process = another(builder -> builder.listener(events)
                .connector(target().connect().apply(redis().address().withTimeout(ms(400)))));
    }

    @ParameterizedTest
    @EnumSource
    void faultShorterThanTheTtl_costsTheHolderNothing(ServerFault fault) {
        Lease lease = process.lock(
                        key, options -> options.ttl(ms(4_000)).renew(true).renewEvery(ms(100)))
                .acquire(TTL);
        await().until(() -> !events.of("renewed").isEmpty());

        fault.begin(redis());
        try {
            await().until(() -> events.of("renewalFailed").stream().anyMatch(event -> isBy(fault, event)));
            assertThat(lease.isHeld()).isTrue();
        } finally {
            fault.end(redis());
        }

        int before = events.of("renewed").size();
        await().until(() -> events.of("renewed").size() > before || !lease.isHeld());
        assertThat(lease.isHeld()).as("renewed").isTrue();
        assertThat(backdoor.get(lockKey())).isEqualTo(lease.token());
        assertThat(lease.release()).isTrue();
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource
    void faultLongerThanTheTtl_isToldInTime_andTheLockIsAnothersAfterwards(ServerFault fault) {
        Holdfast other = listener();
        Lease lease =
                process.lock(key, options -> options.ttl(LEASE).renew(true)).acquire(TTL);
        lease.onLost(reason -> {
            toldAt = System.nanoTime();
            heldWhenTold = lease.isHeld();
            told.add(reason);
        });
        CompletableFuture<Lease> waiter = queue(other);
        CompletableFuture<Boolean> both = waiter.thenApply(next -> lease.isHeld());

        fault.begin(redis());
        long begun = System.nanoTime();
        try {
            await().until(() -> !told.isEmpty());
            refusesNewLocks(fault);
            await().until(() -> System.nanoTime() - begun > LEASE.toNanos()); // the key has ended as well
            assertThat(waiter).isNotDone();
        } finally {
            fault.end(redis());
        }
        Lease next = followed(waiter, lease);

        assertThat(Duration.ofNanos(toldAt - begun)).as("told").isLessThan(LEASE.plusMillis(500));
        assertThat(heldWhenTold).as("isHeld() when told").isFalse();
        assertThat(told).containsExactly(LostReason.EXPIRED);
        assertThat(both.join()).as("two holders").isFalse();
        staysWith(next, lease);
    }

    private Lease followed(CompletableFuture<Lease> waiter, Lease old) {
        await().atMost(Duration.ofSeconds(5)).until(() -> {
            assertThat(backdoor.get(lockKey())).as("not taken back").isNotEqualTo(old.token());
            return waiter.isDone();
        });
        return waiter.join();
    }

    private static boolean isBy(ServerFault fault, LockEvent event) {
        return String.valueOf(event.cause()).contains(fault.word());
    }

    private void refusesNewLocks(ServerFault fault) {
        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> process.tryLock(key + ":new", LEASE))
                .withMessageContaining(fault.word())
                .satisfies(failure -> assertThat(failure.isUnavailable()).isTrue());
    }

    /** Nothing the old holder left under way brings its lock back, and its late write is refused. */
    private void staysWith(Lease next, Lease old) {
        FencedStore store = locks.fencedStore();
        String row = "row:" + key;
        assertThat(next.fencingToken()).isGreaterThan(old.fencingToken());
        assertThat(store.set(row, "new", next.fencingToken())).isTrue();
        assertThat(store.set(row, "late", old.fencingToken())).isFalse();
        elapse(ms(300));
        assertThat(old.isHeld()).isFalse();
        assertThat(old.release()).isFalse();
        assertThat(backdoor.get(lockKey())).isEqualTo(next.token());
        assertThat(next.release()).isTrue();
        backdoor.delete(row);
        assertNothingLeft();
    }
}
