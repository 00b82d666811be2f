// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.BusyPolicy;
import io.holdfast.Lease;
import io.holdfast.LockLostException;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.Locks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** One call whose result comes later. */
class StageResultTest extends WeavingBench {
    private static final Object[] NONE = {};

    private final CompletableFuture<String> work = new CompletableFuture<>();

    @Test
    void lock_lastsUntilTheStageIsComplete_andIsFreeBeforeTheCallerKnows() {
        CompletableFuture<Boolean> heldThen = call(MethodLock.key("a")).thenApply(value -> isHeld("a"));

        assertThat(isHeld("a")).isTrue();
        assertThat(heldThen).isNotDone();
        work.complete("done");

        assertThat(heldThen.join()).isFalse();
    }

    @Test
    void method_runsOnTheCallersThread_withItsLeases() {
        LockedMethod method = LockedMethod.of(
                "Shop.f", CompletionStage.class, MethodLock.key("a").build());
        Thread caller = Thread.currentThread();

        CompletionStage<String> stage = method.call(locks, NONE, leases -> {
            assertThat(Thread.currentThread()).isSameAs(caller);
            return CompletableFuture.completedStage(Locks.current().key());
        });

        assertThat(stage.toCompletableFuture().join()).isEqualTo("a");
        assertThatIllegalStateException().as("after the method returned").isThrownBy(Locks::current);
    }

    @Test
    void stageThatFails_failsTheSame_andTheLockIsFree() {
        IllegalStateException failure = new IllegalStateException("as the test asked for");
        CompletableFuture<String> result = call(MethodLock.key("a"));

        work.completeExceptionally(failure);

        assertThatThrownBy(result::join).isInstanceOf(CompletionException.class).hasCause(failure);
        assertThat(isHeld("a")).isFalse();
    }

    @Test
    void methodThatThrows_throws_andTheLockIsFree() {
        LockedMethod method = LockedMethod.of(
                "Shop.f", CompletionStage.class, MethodLock.key("a").build());
        IllegalStateException failure = new IllegalStateException("as the test asked for");

        assertThatThrownBy(() -> method.call(locks, NONE, leases -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(isHeld("a")).isFalse();
    }

    @Test
    void methodThatReturnsNull_returnsNull_andTheLockIsFree() {
        LockedMethod method = LockedMethod.of(
                "Shop.f", CompletionStage.class, MethodLock.key("a").build());

        assertThat(method.<Object>call(locks, NONE, leases -> null)).isNull();
        assertThat(isHeld("a")).isFalse();
    }

    @Test
    void loss_isToldByTheResult() {
        CompletableFuture<String> result = call(MethodLock.key("a"));
        lose("a");

        work.complete("done");

        assertThatThrownBy(result::join).hasCauseInstanceOf(LockLostException.class);
    }

    @Test
    void loss_ofAStageThatFailed_isAttachedToItsFailure() {
        IllegalStateException failure = new IllegalStateException("as the test asked for");
        CompletableFuture<String> result = call(MethodLock.key("a"));
        lose("a");

        work.completeExceptionally(failure);

        assertThatThrownBy(result::join).hasCause(failure);
        assertThat(failure.getSuppressed())
                .hasOnlyElementsOfType(LockLostException.class)
                .hasSize(1);
    }

    @Test
    void busy_isToldByTheResult() {
        try (Lease other = busy("a")) {
            assertThatThrownBy(call(MethodLock.key("a"))::join).hasCauseInstanceOf(LockNotAcquiredException.class);
        }
    }

    @Test
    void busy_skippedOrFallenBack_completes() {
        try (Lease other = busy("a")) {
            assertThat(call(MethodLock.key("a").onBusy(BusyPolicy.SKIP, "")).join())
                    .isNull();
            assertThat(call(MethodLock.key("a").onBusy(BusyPolicy.FALLBACK, "f"))
                            .join())
                    .isEqualTo("instead");
        }
    }

    @Test
    void placeholderThatIsNull_isToldByTheResult() {
        LockedMethod method = LockedMethod.of(
                "Shop.f", CompletableFuture.class, MethodLock.key("{id}").build());

        CompletableFuture<String> result = method.call(locks, new Object[] {null}, leases -> work);

        assertThatThrownBy(() -> result.getNow("ran"))
                .hasCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Shop.f: id is null");
    }

    @Test
    void cancelled_cancelsTheWork_whoseEndFreesTheLock() {
        CompletableFuture<String> result = call(MethodLock.key("a"));

        assertThat(result.cancel(false)).isTrue();

        assertThat(work).isCancelled();
        await().until(() -> !isHeld("a"));
    }

    @Test
    void cancelled_whileTheWorkGoesOn_keepsTheLock() {
        LockedMethod method = LockedMethod.of(
                "Shop.f", CompletionStage.class, MethodLock.key("a").build());
        CompletionStage<String> result = method.call(locks, NONE, leases -> work.minimalCompletionStage());

        result.toCompletableFuture().cancel(false);

        assertThat(isHeld("a")).isTrue();
        work.complete("done");
        await().until(() -> !isHeld("a"));
    }

    private CompletableFuture<String> call(MethodLock.Builder lock) {
        LockedMethod method = LockedMethod.of("Shop.f", CompletableFuture.class, lock.build());
        CompletableFuture<String> result =
                method.call(locks, NONE, leases -> work, busy -> CompletableFuture.completedFuture("instead"));
        return result.orTimeout(30, TimeUnit.SECONDS);
    }
}
