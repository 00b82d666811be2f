// SPDX-License-Identifier: Apache-2.0
package io.holdfast.reactor;

import io.holdfast.LockLostException;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.weaving.Held;
import io.holdfast.weaving.Invocation;
import io.holdfast.weaving.ResultAdapter;
import java.io.Serial;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The locks of a method that returns {@code Mono} or {@code Flux} are taken anew by each subscriber, without blocking; the
 * method is called then, on the thread that brought the lock (one of Holdfast's for futures), and not before. They are given
 * back when the publisher completes or fails, or its subscriber cancels. A {@code Mono} that lost its lock fails in place of
 * its value; a {@code Flux} fails after its last one.
 */
public final class ReactorResults implements ResultAdapter {

    @Override
    public boolean adapts(Class<?> result) {
        return result == Mono.class || result == Flux.class;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T run(Invocation<T> call) {
        if (call.result() == Mono.class) {
            return (T) Mono.usingWhen(
                            taken(call),
                            held -> Mono.from(publisher(call, held)),
                            held -> released(held, null),
                            ReactorResults::released,
                            ReactorResults::givenUp)
                    .onErrorMap(ReactorResults::isLoss, Throwable::getCause)
                    .onErrorResume(Busy.class, busy -> Mono.from(instead(call, busy)));
        }
        return (T) Flux.usingWhen(
                        taken(call),
                        held -> publisher(call, held),
                        held -> released(held, null),
                        ReactorResults::released,
                        ReactorResults::givenUp)
                .onErrorMap(ReactorResults::isLoss, Throwable::getCause)
                .onErrorResume(Busy.class, busy -> instead(call, busy));
    }

    @Override
    public Object skipped(Class<?> result) {
        return result == Mono.class ? Mono.empty() : Flux.empty();
    }

    private static Mono<Held> taken(Invocation<?> call) {
        return Mono.create(sink -> {
            CompletableFuture<Held> taking = call.takeAsync();
            sink.onCancel(() -> giveUp(taking));
            var unused = taking.whenComplete((held, failed) -> {
                if (held != null) {
                    sink.success(held);
                } else if (!taking.isCancelled()) {
                    sink.error(failed instanceof LockNotAcquiredException busy ? new Busy(busy) : failed);
                }
            });
        });
    }

    /** A subscriber may leave in the moment the locks come: then nobody else gives them back. */
    private static void giveUp(CompletableFuture<Held> taking) {
        if (!taking.cancel(false)) {
            var unused = taking.thenAccept(held -> givenUp(held).subscribe());
        }
    }

    @SuppressWarnings("unchecked")
    private static Publisher<Object> publisher(Invocation<?> call, Held held) {
        try {
            return (Publisher<Object>) Objects.requireNonNull(call.enter(held), "the method returned null");
        } catch (Throwable failure) {
            return Mono.error(failure);
        }
    }

    @SuppressWarnings("unchecked")
    private static Publisher<Object> instead(Invocation<?> call, Busy busy) {
        try {
            return (Publisher<Object>) Objects.requireNonNull(call.busy(busy.cause), "the fallback returned null");
        } catch (Throwable failure) {
            return Mono.error(failure);
        }
    }

    private static Mono<Void> released(Held held, @Nullable Throwable failure) {
        return Mono.fromFuture(() -> held.releaseAsync(failure), true);
    }

    private static Mono<Void> givenUp(Held held) {
        return released(held, null).onErrorComplete(); // nobody is left to be told
    }

    /** Reactor wraps what goes wrong after the end. */
    private static boolean isLoss(Throwable failure) {
        return failure.getClass() == RuntimeException.class && failure.getCause() instanceof LockLostException;
    }

    /** That this very method's lock is busy, and not one that it met inside. */
    private static final class Busy extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final LockNotAcquiredException cause;

        Busy(LockNotAcquiredException cause) {
            super(null, cause, false, false);
            this.cause = cause;
        }
    }
}
