// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.LockName;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What an acquire does when Redis is down and its options let it go on: the same loop, on a lock inside this process. */
final class Fallback {
    private Fallback() {}

    /** The same acquire goes on, so its start and its patience stay; what it comes to is its result. */
    static void goOn(Engine engine, Wish wish, long startedAt, CompletableFuture<@Nullable TokenLease> result) {
        Acquisition local = new Acquisition(engine, engine.local, inside(engine, wish), startedAt);
        Futures.onDone(local.result(), (lease, failed) -> {
            if (failed != null) {
                result.completeExceptionally(BackendErrors.unwrap(failed));
            } else if (lease == null) {
                result.complete(null);
            } else {
                Futures.handOver(lease, lease, result);
            }
        });
        Futures.onDone(result, (lease, failed) -> local.result().cancel(false));
        local.start();
    }

    /** To proceed without excluding anybody is to take a lock nobody else can name. */
    private static Wish inside(Engine engine, Wish wish) {
        if (wish.options().onUnavailable() == FailurePolicy.LOCAL) {
            return wish;
        }
        LockName name = wish.name();
        LockName own = new LockName(name.key(), engine.tokens.next(0), name.companionPrefix());
        return new Wish(own, wish.options(), wish.patience(), wish.steps(), wish.events());
    }
}
