// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.FencedStore;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A holder, in a process of its own, that dies or stands still: rows 1 and 2 of the matrix of faults. */
@NullUnmarked
public abstract class HolderFaultContract extends ProcessFaultContract {
    private Set<String> channels;
    private Holdfast other;

    @BeforeEach
    void listen() {
        other = listener();
        channels = channels();
    }

    @Test
    void holderKilled_isFollowedWithinItsTtlByAHigherToken_andLeavesNothing() {
        long dead = holder.hold(key, LEASE);
        await().until(() -> channels().size() == channels.size() + 1);
        CompletableFuture<Lease> waiter = queue(other);

        long killed = holder.kill();
        Lease next = granted(waiter);

        Duration free = Duration.ofNanos(System.nanoTime() - killed);
        System.out.println("row 1: free " + free.toMillis() + " ms after the kill, ttl " + LEASE.toMillis() + " ms");
        assertThat(free).isLessThan(LEASE.plusMillis(500));
        assertThat(next.fencingToken()).isGreaterThan(dead);
        assertThat(next.release()).isTrue();
        assertNothingLeft();
        await().untilAsserted(() -> assertThat(channels()).isEqualTo(channels));
    }

    @Test
    void holderStoppedForLongerThanItsTtl_learnsAtItsFirstLook_andItsLateWriteIsRefused() {
        String row = "row:" + key;
        FencedStore store = other.fencedStore();
        long stale = holder.hold(key, LEASE);
        Lease next;
        try (var stopped = holder.stop()) {
            next = other.tryLock(key, TTL, LEASE.plusSeconds(20)).orElseThrow();
            assertThat(store.set(row, "new", next.fencingToken())).isTrue();
            holder.look(); // both wait in its pipe: it looks before anything else
            holder.write(row, "late");
        }

        assertThat(holder.heard("looked")).as("isHeld()").isEqualTo("false");
        assertThat(holder.heard("wrote")).as("accepted").isEqualTo("false");
        assertThat(holder.heard("lost")).isIn("EXPIRED", "GONE");
        assertThat(store.get(row)).contains("new");
        assertThat(next.fencingToken()).isGreaterThan(stale);
        elapse(ms(1_000)); // more than the interval of a watchdog that did not stop
        assertThat(backdoor.get(lockKey())).as("not taken back").isEqualTo(next.token());
        assertThat(next.release()).isTrue();
        backdoor.delete(row);
        assertNothingLeft();
    }
}
