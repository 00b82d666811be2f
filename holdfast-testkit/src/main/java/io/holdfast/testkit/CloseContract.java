// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockLostException;
import io.holdfast.LostReason;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Closing a Holdfast: waiters fail, holders get a moment and are told, no thread remains. */
public abstract class CloseContract extends LockContract {
    private static final Duration TTL = Duration.ofSeconds(10);

    @Test
    void close_failsThoseWhoWait() {
        assertThat(locks.tryLock(key, TTL)).isPresent();
        Holdfast closing = another(builder -> builder.closeWait(Duration.ofSeconds(2)));
        Worker<Boolean> thread = Worker.start(() -> {
            closing.lock(key).lock();
            return true;
        });
        CompletableFuture<Lease> async = closing.lock(key, options -> options.wait(Duration.ofMinutes(1)))
                .acquireAsync();
        eventually().until(() -> closing.waitingAcquires() == 2);

        closing.close();

        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(thread::result)
                .withMessageContaining("closed")
                .satisfies(failure -> assertThat(failure.key()).isEqualTo(key));
        eventually()
                .until(async::isCompletedExceptionally); // completed outside the engine's threads, so a moment later
        assertThat(locks.inspect(key).waiting()).as("who waits at the store").isEmpty();
    }

    @Test
    void close_withLeasesStillHeld_tellsTheirHoldersAfterTheWait() {
        Holdfast closing = another(builder -> builder.closeWait(Duration.ofMillis(300)));
        List<LostReason> told = new CopyOnWriteArrayList<>();
        Lease lease = closing.lock(key).acquire();
        lease.onLost(told::add);
        assertThat(closing.heldLeases()).isEqualTo(1);
        long start = System.nanoTime();

        closing.close();

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        assertThat(lease.isHeld()).isFalse();
        eventually().until(() -> !told.isEmpty());
        assertThat(told).containsExactly(LostReason.CLOSED);
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lease::ensureHeld)
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LostReason.CLOSED));
        assertThat(lease.release()).isFalse();
        assertThat(backdoor.exists(lockKey())).as("it ends with its TTL").isTrue();
    }

    @Test
    void close_whileAHolderFinishes_waitsForItsRelease() throws Exception {
        Holdfast closing = another(builder -> builder.closeWait(Duration.ofSeconds(20)));
        Lease lease = closing.lock(key).acquire();
        Worker<Boolean> closer = Worker.start(() -> {
            closing.close();
            return true;
        });
        eventually().until(() -> closing.toString().contains("closed"));

        assertThat(lease.isHeld()).as("held while close() waits").isTrue();
        assertThat(lease.release()).isTrue();

        assertThat(closer.result()).isTrue();
        assertThat(lease.lostReason()).isEmpty();
        assertThat(backdoor.exists(lockKey())).isFalse();
    }

    @Test
    void everyFace_afterClose_isRefused() {
        Holdfast closed = another();
        var lock = closed.lock(key);
        closed.close();
        closed.close();

        for (ThrowingCallable face : List.<ThrowingCallable>of(
                () -> closed.tryLock(key, TTL),
                () -> closed.withLock(key, TTL, () -> {}),
                lock::lock,
                lock::lockInterruptibly,
                lock::tryLock,
                () -> lock.tryLock(1, TimeUnit.SECONDS),
                lock::acquire,
                lock::tryAcquire,
                lock::acquireAsync,
                lock::tryAcquireAsync,
                () -> closed.inspect(key))) {
            assertThatIllegalStateException().isThrownBy(face).withMessageContaining("closed");
        }
        assertThat(backdoor.keysContaining(key)).isEmpty();
    }

    @Test
    void close_leavesNoThreadBehind() throws Exception {
        Set<Thread> before = threads();
        Holdfast closing = another();
        Lease renewed = closing.lock(
                        key, options -> options.ttl(Duration.ofMillis(300)).renew(true))
                .acquire();
        renewed.onLost(reason -> {});
        eventually().until(() -> renewed.remaining().compareTo(Duration.ofMillis(250)) < 0);
        closing.lock(key + ":b")
                .acquireAsync()
                .get(10, TimeUnit.SECONDS)
                .releaseAsync()
                .get(10, TimeUnit.SECONDS);
        assertThat(threads()).hasSizeGreaterThan(before.size());

        closing.close();

        eventually().untilAsserted(() -> assertThat(threads()).isSubsetOf(before));
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast-"))
                .collect(Collectors.toSet());
    }
}
