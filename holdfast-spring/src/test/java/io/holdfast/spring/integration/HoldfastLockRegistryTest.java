// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.HeldLease;
import io.holdfast.Holdfast;
import io.holdfast.LockLostException;
import io.holdfast.LockOptions;
import io.holdfast.testkit.HoldfastTest;
import java.net.URI;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.integration.support.locks.DistributedLock;

@HoldfastTest
@SuppressWarnings("LockNotBeforeTry") // what is held after a failed assertion ends with the test
class HoldfastLockRegistryTest {
    private Holdfast here;
    private Holdfast there;
    private HoldfastLockRegistry registry;
    private HoldfastLockRegistry elsewhere;

    @BeforeEach
    void open(Holdfast locks, URI server) {
        here = locks;
        there = Holdfast.builder()
                .uri(server.toString())
                .closeWait(Duration.ZERO)
                .build();
        registry = new HoldfastLockRegistry(here, "orders");
        elsewhere = new HoldfastLockRegistry(there, "orders");
    }

    @AfterEach
    void close() {
        there.close();
    }

    private HeldLease held() {
        assertThat(here.held()).hasSize(1);
        return here.held().get(0);
    }

    @Test
    void obtain_sameKey_excludesOtherProcessesUntilTheLastUnlock() {
        registry.obtain("42").lock();
        assertThat(registry.obtain("42").tryLock())
                .as("re-entered, through another object")
                .isTrue();

        assertThat(elsewhere.obtain("42").tryLock()).isFalse();
        registry.obtain("42").unlock();
        assertThat(elsewhere.obtain("42").tryLock()).as("one is left").isFalse();
        registry.obtain("42").unlock();
        assertThat(elsewhere.obtain("42").tryLock()).isTrue();
    }

    @Test
    void obtain_sameKey_excludesOtherThreads() {
        registry.obtain("42").lock();

        assertThat(CompletableFuture.supplyAsync(() -> registry.obtain("42").tryLock()))
                .succeedsWithin(Duration.ofSeconds(20))
                .isEqualTo(false);
    }

    @Test
    void lock_byDefault_isForAMinuteRenewedUnderTheRegistrysKey() {
        registry.obtain("42").lock();

        assertThat(held().key()).isEqualTo("orders:42");
        assertThat(held().label()).isEqualTo("orders");
        assertThat(held().remaining()).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60));
    }

    @Test
    void lock_ofAnotherLength_isForThatLong() throws InterruptedException {
        assertThat(registry.obtain("42").tryLock(Duration.ZERO, Duration.ofMinutes(5)))
                .isTrue();

        assertThat(held().remaining()).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
        registry.obtain("42").unlock();
        registry.obtain("42").lock(Duration.ofMinutes(2));
        assertThat(held().remaining()).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(2));
        registry.obtain("42").unlock();
    }

    @Test
    void tryLock_whileOthersHoldIt_waitsAsLongAsAllowed() throws InterruptedException {
        elsewhere.obtain("42").lock();
        long before = System.nanoTime();

        assertThat(registry.obtain("42").tryLock(300, TimeUnit.MILLISECONDS)).isFalse();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    @Test
    void unlock_withoutAHold_isRefused() {
        DistributedLock lock = registry.obtain("42");

        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
    }

    @Test
    void unlock_afterALoss_saysThatTheWorkWasNotProtected() {
        DistributedLock lock = registry.obtain("42");
        lock.lock();
        here.forceRelease("orders:42");

        assertThatExceptionOfType(LockLostException.class)
                .as("no silent re-entry")
                .isThrownBy(lock::tryLock);
        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(lock::unlock)
                .withCauseInstanceOf(LockLostException.class);
        assertThat(lock.tryLock()).as("then it is a lock like any other").isTrue();
        lock.unlock();
    }

    @Test
    void renewLock_extendsWhatThisThreadHolds() {
        HoldfastLockRegistry fixed = new HoldfastLockRegistry(
                here,
                "fixed",
                LockOptions.builder()
                        .ttl(Duration.ofSeconds(30))
                        .maxTtl(Duration.ofMinutes(10))
                        .build());
        fixed.obtain("42").lock();

        fixed.renewLock("42", Duration.ofMinutes(10));
        assertThat(held().remaining()).isGreaterThan(Duration.ofMinutes(9));
        fixed.renewLock("42", Duration.ofDays(10));
        assertThat(held().remaining()).as("no more than it may").isLessThanOrEqualTo(Duration.ofMinutes(10));
        fixed.renewLock("42");
        assertThat(held().remaining()).isLessThanOrEqualTo(Duration.ofSeconds(30));

        here.forceRelease("fixed:42");
        assertThatIllegalStateException()
                .isThrownBy(() -> fixed.renewLock("42"))
                .withMessageContaining("lost");
        assertThatIllegalStateException()
                .isThrownBy(() -> registry.renewLock("42"))
                .withMessageContaining("not hold");
    }

    @Test
    void executeLocked_runsUnderTheLockAndReportsABusyOne() throws Exception {
        assertThat(registry.<Integer, RuntimeException>executeLocked("42", () -> here.heldLeases()))
                .isEqualTo(1);
        assertThat(here.heldLeases()).isZero();

        elsewhere.obtain("42").lock();
        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> registry.executeLocked("42", Duration.ofMillis(50), () -> {}));
    }

    @Test
    void obtain_manyKeys_keepsNothing() {
        for (int i = 0; i < 200; i++) {
            DistributedLock lock = registry.obtain("key-" + i);
            lock.lock();
            lock.unlock();
        }
        registry.expireUnusedOlderThan(0);

        assertThat(here.heldLeases()).isZero();
        assertThat(here.waitingAcquires()).isZero();
    }

    @Test
    void obtain_keyThatIsNoString_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.obtain(42))
                .withMessageContaining("has to be a string");
    }
}
