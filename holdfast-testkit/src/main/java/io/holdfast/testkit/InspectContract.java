// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockInfo;
import io.holdfast.LockNotAcquiredException;
import java.time.Duration;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Looking at a lock: who holds it, since when, for how long, and who waits. */
@NullUnmarked
public abstract class InspectContract extends LockContract {
    private static final Duration TTL = Duration.ofSeconds(10);

    @Test
    void inspect_free_saysSo() {
        LockInfo info = locks.inspect(key);

        assertThat(info.key()).isEqualTo(key);
        assertThat(info.isHeld()).isFalse();
        assertThat(info.holder()).isNull();
        assertThat(info.waiting()).isEmpty();
    }

    @Test
    void inspect_held_tellsHolderTtlAndFence() {
        Lease lease = another(builder -> builder.note("host-a/4711"))
                .tryLock(key, TTL)
                .orElseThrow();

        LockInfo.Holder holder = holder();

        assertThat(holder.note()).isEqualTo("host-a/4711");
        assertThat(holder.ttl()).isBetween(Duration.ofSeconds(1), TTL);
        assertThat(holder.eternal()).isFalse();
        assertThat(holder.fencingToken()).hasValue(lease.fencingToken());
        assertThat(holder.owner()).isNull();
        assertThat(holder.holds()).isZero();
    }

    @Test
    void inspect_heldWithoutFencing_tellsTheHolderAllTheSame() {
        Lease lease = another(builder -> builder.note("host-a/4711"))
                .lock(key, options -> options.fencing(false).ttl(TTL))
                .acquire();
        assertThat(lease.isHeld()).isTrue();

        assertThat(holder().note()).isEqualTo("host-a/4711");
        assertThat(holder().fencingToken()).isEmpty();
        assertThat(holder().since()).isNull();
    }

    @Test
    void inspect_byDefault_namesHostAndProcess() {
        assertThat(locks.tryLock(key, TTL)).isPresent();

        assertThat(holder().note()).endsWith("/" + ProcessHandle.current().pid());
    }

    @Test
    void inspect_owned_tellsOwnerAndHolds() {
        var lock = locks.lock(key, options -> options.owner("trace-7").ttl(TTL));
        Lease first = lock.acquire();
        Lease second = another()
                .lock(key, options -> options.owner("trace-7").ttl(TTL))
                .acquire();

        assertThat(holder().owner()).isEqualTo("trace-7");
        assertThat(holder().holds()).isEqualTo(2);
        assertThat(holder().fencingToken()).hasValue(first.fencingToken());
        second.release();
        assertThat(holder().holds()).isEqualTo(1);
    }

    @Test
    void inspect_waitedFor_tellsWhoWaitsInTheirOrder() throws Exception {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();
        Worker<Boolean> first = waiter("host-b/1");
        eventually().until(() -> locks.inspect(key).waiting().size() == 1);
        Worker<Boolean> second = waiter("host-c/2");
        eventually().until(() -> locks.inspect(key).waiting().size() == 2);

        assertThat(locks.inspect(key).waiting()).containsExactly("host-b/1", "host-c/2");

        lease.release();
        assertThat(first.result()).isTrue();
        assertThat(second.result()).isTrue();
        eventually().until(() -> locks.inspect(key).waiting().isEmpty());
    }

    @Test
    void inspect_changesNothing() {
        Lease lease = locks.tryLock(key, TTL).orElseThrow();
        long before = backdoor.pttl(lockKey());
        locks.inspect(key);

        assertThat(backdoor.get(lockKey())).isEqualTo(lease.token());
        assertThat(backdoor.pttl(lockKey())).isLessThanOrEqualTo(before);
        assertThat(backdoor.keysContaining(key)).containsExactly(lockKey());
    }

    @Test
    void foreignLock_withATtl_isHeldByAnUnknown() {
        backdoor.set(lockKey(), "a redis-py token", 10_000);

        assertThat(holder().note()).isNull();
        assertThat(holder().ttl()).isBetween(Duration.ofSeconds(1), TTL);
        assertThat(holder().eternal()).isFalse();
        assertThat(holder().fencingToken()).isEmpty();
    }

    @Test
    void foreignLock_withoutATtl_isEternalBusyAndLeftAlone() {
        backdoor.set(lockKey(), "a forgotten lock", 0);
        ready(locks);

        assertThat(holder().eternal()).isTrue();
        assertThat(holder().ttl()).isNull();
        assertThatExceptionOfType(LockNotAcquiredException.class)
                .isThrownBy(() -> locks.withLock(key, TTL, Duration.ofMillis(150), () -> {}))
                .withMessageContaining("no TTL")
                .satisfies(busy -> assertThat(busy.holderTtl()).isEmpty());
        assertThat(backdoor.get(lockKey())).isEqualTo("a forgotten lock");
        assertThat(backdoor.pttl(lockKey())).isEqualTo(-1);
    }

    private LockInfo.Holder holder() {
        LockInfo.Holder holder = another().inspect(key).holder();
        assertThat(holder).isNotNull();
        return holder;
    }

    private Worker<Boolean> waiter(String note) {
        Holdfast process = another(builder -> builder.note(note));
        return Worker.start(() ->
                process.tryLock(key, TTL, Duration.ofSeconds(15)).orElseThrow().release());
    }
}
