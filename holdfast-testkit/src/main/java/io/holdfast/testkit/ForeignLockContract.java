// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.LostReason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks of other libraries at the same key: busy, whatever they look like; never granted, never an error (S6). */
public abstract class ForeignLockContract extends ProtocolContract {
    private static final Duration TTL = Duration.ofSeconds(10);

    @Test
    void foreignLock_withoutTtl_isBusyAndNeverGranted() {
        backdoor.set(lockKey(), "redsync", 0);

        assertThat(locks.tryLock(key, TTL)).isEmpty();
        assertThat(locks.tryLock(key, TTL, ms(300))).isEmpty();
        assertThat(locks.lock(key, options -> options.fencing(false)).tryAcquire(ms(300)))
                .isEmpty();
        assertThatThrownBy(() -> locks.withLock(key, TTL, () -> {}))
                .isInstanceOfSatisfying(LockNotAcquiredException.class, busy -> {
                    assertThat(busy).hasMessageContaining("no TTL");
                    assertThat(busy.holderTtl()).isEmpty();
                });
        assertThat(backdoor.get(lockKey())).isEqualTo("redsync");
    }

    @Test
    void foreignLock_thatIsFreed_isTakenByTheWaiter() {
        backdoor.set(lockKey(), "redis-py", 0);
        CompletableFuture<Lease> waiting =
                locks.lock(key, options -> options.wait(Duration.ofSeconds(30))).acquireAsync();
        await().until(() -> locks.inspect(key).waiting(), waiters -> waiters.size() == 1);

        backdoor.delete(lockKey());
        assertThat(waiting.join().isHeld()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HSET", "RPUSH", "SADD"})
    void keyOfAnotherType_isBusyAndSaysIncompatible(String write) {
        hold(write);

        assertThat(locks.tryLock(key, TTL)).isEmpty();
        assertThat(locks.tryLock(key, TTL, ms(300))).isEmpty();
        assertThat(locks.lock(key, options -> options.owner("o")).tryAcquire()).isEmpty();
        assertThat(locks.lock(key, options -> options.fencing(false)).tryAcquire(ms(300)))
                .isEmpty();
        assertThatThrownBy(() -> locks.withLock(key, TTL, () -> {}))
                .isInstanceOf(LockNotAcquiredException.class)
                .hasMessageContaining("incompatible");
        assertThat(locks.inspect(key).isHeld()).isTrue();
    }

    @Test
    void releaseAndRenew_ofAKeyThatBecameAnotherType_reportLostAndLeaveIt() {
        Lease renewed = locks.tryLock(key, TTL).orElseThrow();
        backdoor.delete(lockKey());
        hold("HSET");
        assertThat(renewed.renew(TTL)).isFalse();
        assertThat(renewed.lostReason()).contains(LostReason.GONE);

        backdoor.delete(lockKey());
        Lease released = locks.tryLock(key, TTL).orElseThrow();
        backdoor.delete(lockKey());
        hold("HSET");
        assertThat(released.release()).isFalse();
        assertThat(raw().call("HGET", lockKey(), "thread-1")).isEqualTo("1");
    }

    @Test
    void releaseAndRenew_ofAnOwnersKeyThatBecameAnotherType_reportLostAndLeaveIt() {
        Lease first = locks.lock(key, options -> options.owner("o")).acquire();
        Lease second = locks.lock(key, options -> options.owner("o")).acquire();
        backdoor.delete(lockKey());
        hold("HSET");

        assertThat(first.renew(TTL)).isFalse();
        assertThat(first.release()).isFalse();
        assertThat(second.release()).isFalse();
        assertThat(raw().call("HGET", lockKey(), "thread-1")).isEqualTo("1");
        assertThat(backdoor.exists(companion("holds"))).isFalse();
    }

    private void hold(String write) {
        if (write.equals("HSET")) {
            raw().call(write, lockKey(), "thread-1", "1");
        } else {
            raw().call(write, lockKey(), "thread-1");
        }
        raw().call("PEXPIRE", lockKey(), "60000");
    }
}
