// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import io.holdfast.BusyPolicy;
import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockManager;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.LossPolicy;
import io.holdfast.weaving.LockedMethod.Body;
import io.holdfast.weaving.LockedMethod.Fallback;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One call of a method with locks, for a {@link ResultAdapter} to carry out: take, proceed, release; or busy.
 *
 * @param <T> the method's result
 */
public final class Invocation<T> {
    private final LockedMethod method;
    private final LockManager manager;
    private final @Nullable Object[] values;
    private final Body<T> body;
    private final @Nullable Fallback<T> fallback;

    Invocation(
            LockedMethod method,
            LockManager manager,
            @Nullable Object[] values,
            Body<T> body,
            @Nullable Fallback<T> fallback) {
        this.method = method;
        this.manager = manager;
        this.values = values;
        this.body = body;
        this.fallback = fallback;
    }

    /** What the method is declared to return. */
    public Class<?> result() {
        return method.result();
    }

    /**
     * Takes the locks; blocks. On failure none is held.
     *
     * @throws LockNotAcquiredException when one is busy
     */
    public Held take() {
        Wanted wanted = resolve();
        Held held = new Held(method.toString());
        Map<String, Lease> leases = new HashMap<>(4);
        for (DistributedLock lock : wanted.inOrder()) {
            try {
                leases.put(lock.name(), wanted.took(held, lock.acquire()));
            } catch (RuntimeException failure) {
                held.release(failure);
                throw failure;
            }
        }
        held.declare(wanted.declared(leases));
        return held;
    }

    /** {@link #take()} without blocking; to cancel it gives back what was taken. */
    public CompletableFuture<Held> takeAsync() {
        Wanted wanted = resolve();
        AsyncTaking taking = new AsyncTaking(wanted, new Held(method.toString()));
        taking.next();
        return taking.result;
    }

    /** Runs the method; to give the locks back is left to the caller. */
    public @Nullable T enter(Held held) throws Throwable {
        CurrentLeases entered = CurrentLeases.enter(held);
        try {
            return body.run(held.leases());
        } finally {
            entered.leave();
        }
    }

    /** {@link #enter} that gives the locks back when the method throws; blocks for that. */
    public @Nullable T proceed(Held held) throws Throwable {
        try {
            return enter(held);
        } catch (Throwable failure) {
            held.release(failure);
            throw failure;
        }
    }

    /** What the method's policy makes of a busy lock: a result, or an exception. */
    @SuppressWarnings("unchecked") // the adapter knows what the method is declared to return
    public @Nullable T busy(LockNotAcquiredException busy) throws Throwable {
        BusyPolicy policy = LockedMethod.busyPolicy(method.locks()).onBusy();
        if (busy.getCause() != null || policy == BusyPolicy.THROW) {
            throw busy; // with a cause it is not busy: the thread was interrupted
        }
        if (policy == BusyPolicy.SKIP) {
            return (T) method.adapter().skipped(method.result());
        }
        return Objects.requireNonNull(fallback, "a fallback is the policy, but none was given")
                .run(busy);
    }

    private Wanted resolve() {
        Wanted wanted = new Wanted();
        int from = 0;
        for (MethodLock lock : method.locks()) {
            try {
                wanted.add(lock.resolve(manager, values, from), lock.onLost());
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(method + ": " + e.getMessage(), e);
            }
            from += lock.values();
        }
        return wanted;
    }

    /** The locks of this call. By their keys, so that all callers take them in the same order and each only once. */
    private static final class Wanted {
        private final TreeMap<String, DistributedLock> byKey = new TreeMap<>();
        private final Map<String, LossPolicy> onLost = new HashMap<>(4);
        private final List<String> declared = new ArrayList<>(1);

        void add(DistributedLock lock, LossPolicy policy) {
            byKey.putIfAbsent(lock.name(), lock);
            onLost.putIfAbsent(lock.name(), policy);
            declared.add(lock.name());
        }

        Iterable<DistributedLock> inOrder() {
            return byKey.values();
        }

        Lease took(Held held, Lease lease) {
            held.add(lease, Objects.requireNonNull(onLost.get(lease.key())));
            return lease;
        }

        List<Lease> declared(Map<String, Lease> leases) {
            List<Lease> found = new ArrayList<>(declared.size());
            declared.forEach(key -> found.add(Objects.requireNonNull(leases.get(key))));
            return found;
        }
    }

    /** Takes one lock after the other as the answers come. */
    private static final class AsyncTaking {
        private final Wanted wanted;
        private final Held held;
        private final List<DistributedLock> left = new ArrayList<>();
        private final Map<String, Lease> leases = new HashMap<>(4);
        private final CompletableFuture<Held> result = new CompletableFuture<>();

        AsyncTaking(Wanted wanted, Held held) {
            this.wanted = wanted;
            this.held = held;
            wanted.inOrder().forEach(left::add);
        }

        void next() {
            if (left.isEmpty()) {
                held.declare(wanted.declared(leases));
                if (!result.complete(held)) {
                    fail(new CancellationException("nobody waits for the locks any more"));
                }
                return;
            }
            DistributedLock lock = left.remove(0);
            CompletableFuture<Lease> asked = lock.acquireAsync();
            onDone(asked, (lease, failed) -> {
                if (lease == null) {
                    fail(failed);
                } else {
                    leases.put(lock.name(), wanted.took(held, lease));
                    next();
                }
            });
            onDone(result, (done, failed) -> asked.cancel(false)); // of no effect once it has an answer
        }

        /** Told only when nothing is held any more. */
        private void fail(Throwable failure) {
            onDone(held.releaseAsync(failure), (released, lost) -> result.completeExceptionally(failure));
        }

        private static <V> void onDone(CompletableFuture<V> future, BiConsumer<? super V, ? super Throwable> then) {
            var unused = future.whenComplete(then);
        }
    }
}
