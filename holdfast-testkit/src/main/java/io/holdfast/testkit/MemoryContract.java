// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockOptions;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.faults.ServerFaults;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server at maxmemory: what is held can be renewed and released, nothing new is taken, and that is said at once (L7). */
@NullUnmarked
public abstract class MemoryContract extends WaitingContract {
    private ServerFaults memory;

    @BeforeEach
    void prepareFaults() {
        memory = ServerFaults.of(redis().server());
    }

    @AfterEach
    void closeFaults() {
        memory.close();
    }

    @Override
    protected EmbeddedRedis server() {
        return target().version().builder().start();
    }

    private Lease acquire(String name, Consumer<LockOptions.Builder> how) {
        return locks.lock(name, options -> {
                    options.ttl(TTL).wait(Duration.ofSeconds(25));
                    how.accept(options);
                })
                .acquire();
    }

    @Test
    void atMaxmemory_heldLocksAreRenewedAndReleasedAndNewOnesFailFast() {
        Lease plain = acquire(key, options -> {});
        Lease unfenced = acquire(key + ":unfenced", options -> options.fencing(false));
        Lease first = acquire(key + ":owner", options -> options.owner("o"));
        Lease second = acquire(key + ":owner", options -> options.owner("o"));
        Lease kept = acquire(key + ":kept", options -> options.renew(true).renewEvery(ms(100)));
        Lease keptByOwner = acquire(
                key + ":kept-owner", options -> options.owner("o").renew(true).renewEvery(ms(100)));
        memory.fillMemory("noeviction");

        refused(key + ":new", options -> {});
        refused(key + ":new-unfenced", options -> options.fencing(false));
        refused(key + ":new-owner", options -> options.owner("o"));
        refused(key + ":new-owner-unfenced", options -> options.owner("o").fencing(false));
        assertThat(another().tryLock(key, TTL)).as("busy is still busy").isEmpty();
        assertThat(locks.tryLock(key, TTL, ms(300)))
                .as("busy, though it can't be listed")
                .isEmpty();

        for (Lease lease : new Lease[] {plain, unfenced, first, second}) {
            assertThat(lease.renew(TTL)).isTrue();
        }
        awaitRenewal(lockKey() + ":kept", TTL);
        awaitRenewal(lockKey() + ":kept-owner", TTL);
        assertThat(kept.isHeld()).isTrue();
        assertThat(keptByOwner.isHeld()).isTrue();
        for (Lease lease : new Lease[] {plain, unfenced, first, second, kept, keptByOwner}) {
            assertThat(lease.release()).isTrue();
        }
        assertThat(backdoor.keysContaining(key)).isEmpty();

        memory.mend();
        assertThat(locks.tryLock(key, TTL)).isPresent();
    }

    @Test
    void atMaxmemory_theLockIsPassedOn() {
        Lease first = hold(locks);
        CompletableFuture<Lease> unfenced =
                queue(listener(), options -> options.ttl(TTL).fencing(false));
        TamperingConnector deaf = network();
        CompletableFuture<Lease> leaving = queue(listening(behind(deaf)));
        CompletableFuture<Lease> last = queue(listener());
        List<String> order = queued();
        deaf.subscriptions().dropMessages();
        memory.fillMemory("noeviction");

        assertThat(first.release()).isTrue();
        assertThat(granted(unfenced).release()).isTrue();
        assertThat(backdoor.get(lockKey())).contains(id(order.get(1)));
        leaving.cancel(true);

        Lease won = granted(last);
        assertThat(won.fencingToken()).isGreaterThan(first.fencingToken());
        assertThat(backdoor.pttl(lockKey())).as("confirmed").isGreaterThan(1_000);
        assertThat(won.release()).isTrue();
        assertNothingLeft();
    }

    @Test
    void atMaxmemory_aReleaseThatCannotStandInTheQueueAgain_passesTheLockOnAllTheSame() {
        Lease first = locks.lock(key, options -> options.ttl(TTL)).acquire(TTL);
        CompletableFuture<Lease> other = queue(listener());
        CompletableFuture<Lease> local = waiting(locks, options -> options.ttl(TTL));
        await().until(() -> locks.waitingAcquires() == 1);
        memory.fillMemory("noeviction");

        elapse(ms(20)); // longer than threads of one process may go on
        assertThat(first.release()).isTrue();

        assertThat(granted(other).fencingToken()).isGreaterThan(first.fencingToken());
        assertThat(local).isNotDone();
    }

    @Test
    void atMaxmemory_oneWhoWentWithAReleaseInVain_asksAtOnce() {
        TestClock clock = TestClock.frozen(); // so that it does not poll
        Holdfast process = listener(builder -> builder.connector(network()).clock(clock));
        Lease holder = process.lock(key, options -> options.ttl(TTL).fair(true)).acquire();
        CompletableFuture<Lease> waiter =
                lineUp(process, options -> options.ttl(TTL).fair(true));
        assertThat(queued()).as("held back").isEmpty();
        memory.fillMemory("noeviction");

        assertThat(holder.release()).isTrue();

        await().until(waiter::isDone); // it has the lock if what that took is enough for it, and is told otherwise
    }

    private void refused(String name, Consumer<LockOptions.Builder> how) {
        long before = System.nanoTime();
        assertThatThrownBy(() -> acquire(name, how)).isInstanceOfSatisfying(LockBackendException.class, failure -> {
            assertThat(failure).hasMessageContaining("OOM").hasMessageContaining("maxmemory");
            assertThat(failure.isUnavailable()).isTrue();
        });
        assertThat(Duration.ofNanos(System.nanoTime() - before))
                .as("fails fast")
                .isLessThan(Duration.ofSeconds(15));
        assertThat(backdoor.keysContaining(name)).isEmpty();
    }
}
