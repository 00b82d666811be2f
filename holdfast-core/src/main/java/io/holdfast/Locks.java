// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.weaving.CurrentLeases;
import io.holdfast.weaving.LockedProxy;
import java.util.List;

/** What goes with {@link Lock}: the lease of the method that runs, and a way to weave without a framework. */
public final class Locks {
    private Locks() {}

    /**
     * The lease of the innermost method with {@link Lock} that this thread is in; of several locks the one that is declared
     * first. Not in what such a method starts on other threads: hand the lease over.
     *
     * @throws IllegalStateException outside of any
     */
    public static Lease current() {
        List<Lease> leases = CurrentLeases.innermost();
        if (leases.isEmpty()) {
            throw new IllegalStateException("no method with @Lock is running on this thread");
        }
        return leases.get(0);
    }

    /**
     * The lease of that lock, by its resolved key, among those of every method with {@link Lock} that this thread is in.
     *
     * @throws IllegalStateException when there is none
     */
    public static Lease current(String key) {
        return CurrentLeases.of(Limits.key(key))
                .orElseThrow(() -> new IllegalStateException(
                        "no method with @Lock that took lock " + key + " is running on this thread"));
    }

    /**
     * An object that takes the locks {@link Lock} asks for, on the interface or on the target's class, and passes each call on.
     *
     * <pre>{@code
     * OrderApi orders = Locks.proxy(OrderApi.class, new OrderService(), locks);
     * }</pre>
     *
     * @throws IllegalArgumentException when an annotation is wrong, or there is none
     */
    public static <T> T proxy(Class<T> face, T target, LockManager locks) {
        return LockedProxy.of(Limits.given("face", face), Limits.given("target", target), Limits.given("locks", locks));
    }
}
