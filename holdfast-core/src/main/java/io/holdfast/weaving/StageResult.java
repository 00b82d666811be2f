// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import io.holdfast.LockNotAcquiredException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A result that comes later. The locks are taken on the caller's thread, so that the method runs where it would without them;
 * what keeps them from being taken is told by the result, as everything else is.
 */
@SuppressWarnings("FutureReturnValueIgnored") // whatever fails is told by the future that the caller gets
final class StageResult implements ResultAdapter {

    @Override
    public boolean adapts(Class<?> result) {
        return result == CompletionStage.class || result == CompletableFuture.class;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable T run(Invocation<T> call) throws Throwable {
        Held held;
        try {
            held = call.take();
        } catch (LockNotAcquiredException busy) {
            return busy(call, busy);
        } catch (RuntimeException failure) {
            return (T) CompletableFuture.failedFuture(failure);
        }
        T stage = call.proceed(held);
        if (stage == null) {
            held.release(null);
            return stage;
        }
        return (T) until((CompletionStage<?>) stage, held);
    }

    @Override
    public Object skipped(Class<?> result) {
        return CompletableFuture.completedFuture(null);
    }

    @SuppressWarnings({"unchecked", "ReferenceEquality"}) // this very exception, not one of a fallback's
    private static <T> @Nullable T busy(Invocation<T> call, LockNotAcquiredException busy) throws Throwable {
        try {
            return call.busy(busy);
        } catch (LockNotAcquiredException thrown) {
            if (thrown == busy) {
                return (T) CompletableFuture.failedFuture(busy);
            }
            throw thrown;
        }
    }

    /** Completes as the stage does, once the locks are given back. To cancel it cancels the stage, whose end ends the locks. */
    private static <V> CompletableFuture<V> until(CompletionStage<V> stage, Held held) {
        CompletableFuture<V> promise = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> held.releaseAsync(failure)
                .whenComplete((released, lost) -> complete(promise, value, failure != null ? failure : lost)));
        promise.whenComplete((value, failure) -> {
            if (promise.isCancelled() && stage instanceof CompletableFuture<V> work) {
                work.cancel(true);
            }
        });
        return promise;
    }

    private static <V> void complete(CompletableFuture<V> promise, V value, @Nullable Throwable failure) {
        if (failure == null) {
            promise.complete(value);
        } else {
            promise.completeExceptionally(failure);
        }
    }
}
