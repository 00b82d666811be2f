// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the engine follows up on futures: an error in a follow-up is logged, where the JDK would swallow it. */
final class Futures {
    private static final Logger log = LoggerFactory.getLogger(Futures.class);

    private Futures() {}

    static <T> void onDone(
            CompletableFuture<T> future, BiConsumer<? super @Nullable T, ? super @Nullable Throwable> action) {
        if (isAnswered(future)) {
            run(action, future.join(), null);
            return;
        }
        var unused = future.whenComplete((value, failure) -> run(action, value, failure));
    }

    /** Whether the value is there, as it is with all of a blocking client: nothing to wait for, so no need to chain. */
    static boolean isAnswered(CompletionStage<?> stage) {
        return stage instanceof CompletableFuture<?> future && future.isDone() && !future.isCompletedExceptionally();
    }

    private static <T> void run(
            BiConsumer<? super @Nullable T, ? super @Nullable Throwable> action,
            @Nullable T value,
            @Nullable Throwable failure) {
        try {
            action.accept(value, failure);
        } catch (RuntimeException | Error e) {
            log.error("Holdfast met an error of its own", e);
        }
    }

    /** Completes the second as the first completes. */
    static <T> void follow(CompletionStage<T> from, CompletableFuture<T> to) {
        onDone(from.toCompletableFuture(), (value, failure) -> {
            if (failure == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(failure);
            }
        });
    }

    /** Gives a lease to whoever waits for it, or back to Redis when they have gone. */
    static <T> void handOver(TokenLease lease, T as, CompletableFuture<T> promise) {
        if (!promise.complete(as)) {
            onDone(lease.releaseAsync(), (released, error) -> {});
        }
    }
}
