// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.LockOptions;
import io.holdfast.spi.RedisAddress;
import io.holdfast.testkit.HoldfastTest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The third document's lock: an id of the caller's (trace, request, business) re-enters, from anywhere. */
@HoldfastTest
class OwnerExamplesTest {
    private static final String KEY = "order:42";

    /** The document's defaults: 10 s, 100 ms between tries, no retry, renewed at 0.4 of the lease. */
    private static LockOptions requestLock(String requestId) {
        return LockOptions.builder()
                .ttl(Duration.ofSeconds(10))
                .renew(true)
                .renewRatio(0.4)
                .retryInterval(Duration.ofMillis(100))
                .owner(requestId)
                .build();
    }

    @Test
    void sameRequest_fromAnotherThread_reenters(Holdfast locks) {
        DistributedLock lock = locks.lock(KEY, requestLock("req-7f3a"));
        Lease outer = lock.acquire();

        long innerFence = CompletableFuture.supplyAsync(() -> {
                    try (Lease inner = lock.acquire()) {
                        return inner.fencingToken();
                    }
                })
                .join();

        assertThat(innerFence).isEqualTo(outer.fencingToken());
        assertThat(outer.isHeld())
                .as("the inner release does not free the lock")
                .isTrue();
        assertThat(outer.release()).isTrue();
    }

    @Test
    void sameRequest_fromAnotherProcess_reentersAndTheLastReleaseFrees(Holdfast locks, RedisAddress address) {
        try (Holdfast otherProcess = Holdfast.builder().address(address).build()) {
            Lease here = locks.lock(KEY, requestLock("req-7f3a")).acquire();
            Lease there = otherProcess.lock(KEY, requestLock("req-7f3a")).acquire();

            assertThat(here.release()).isTrue();
            assertThat(locks.inspect(KEY).isHeld()).isTrue();
            assertThat(there.release()).isTrue();
            assertThat(locks.inspect(KEY).isHeld()).isFalse();
        }
    }

    @Test
    void anotherRequest_isRefused(Holdfast locks) {
        try (Lease held = locks.lock(KEY, requestLock("req-1")).acquire()) {
            assertThat(held.isHeld()).isTrue();
            assertThat(locks.lock(KEY, requestLock("req-2")).tryAcquire()).isEmpty();
        }
    }

    @Test
    void retryLimits_whicheverComesFirst(Holdfast locks) {
        try (Lease held = locks.lock(KEY).acquire()) {
            assertThat(held.isHeld()).isTrue();
            DistributedLock twoRetries = locks.lock(
                    KEY,
                    o -> o.retryInterval(Duration.ofMillis(10)).maxRetries(2).maxElapsed(Duration.ofSeconds(60)));
            assertThatThrownBy(twoRetries::acquire)
                    .isInstanceOfSatisfying(
                            LockNotAcquiredException.class,
                            busy -> assertThat(busy.attempts()).isEqualTo(3));

            DistributedLock shortWait =
                    locks.lock(KEY, o -> o.maxRetries(1_000_000).maxElapsed(Duration.ofMillis(150)));
            assertThatThrownBy(shortWait::acquire).isInstanceOf(LockNotAcquiredException.class);
        }
    }

    @Test
    void unlockWithoutAHold_isAnError(Holdfast locks) {
        assertThatThrownBy(() -> locks.lock(KEY).unlock())
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining(KEY);
    }

    @Test
    void lateReleaseOfAnOldHold_neverTouchesTheNewOne(Holdfast locks) {
        DistributedLock lock = locks.lock(KEY, requestLock("req-7f3a"));
        Lease a1 = lock.acquire();
        assertThat(a1.release()).isTrue();
        Lease a2 = lock.acquire();

        assertThat(a1.release()).isFalse();
        assertThat(a1.renew(Duration.ofSeconds(10))).isFalse();

        assertThat(a2.isHeld()).isTrue();
        assertThat(locks.inspect(KEY).isHeld()).isTrue();
        a2.close();
    }
}
