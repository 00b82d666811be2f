// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import io.holdfast.BusyPolicy;
import io.holdfast.Lease;
import io.holdfast.LockManager;
import io.holdfast.LockNotAcquiredException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A method and its locks. Immutable; made once per method. */
public final class LockedMethod {
    private final String name;
    private final List<MethodLock> locks;
    private final ResultAdapter adapter;
    private final Class<?> result;

    private LockedMethod(String name, Class<?> result, List<MethodLock> locks) {
        this.name = name;
        this.locks = locks;
        this.result = result;
        this.adapter = ResultTypes.adapter(result);
        busyPolicy(locks);
        if (locks.stream().anyMatch(lock -> lock.onBusy() == BusyPolicy.SKIP)) {
            ResultTypes.checkSkippable(result);
        }
    }

    /**
     * A method of that name and result.
     *
     * @throws IllegalArgumentException when its result can't tell when the method is done, or the locks disagree
     */
    public static LockedMethod of(String name, Class<?> result, MethodLock... locks) {
        return new LockedMethod(name, result, List.of(locks));
    }

    /**
     * The one of the locks that says what to do when any of them is busy; the first when none does.
     *
     * @throws IllegalArgumentException when two say different things
     */
    public static MethodLock busyPolicy(List<MethodLock> locks) {
        MethodLock said = locks.get(0);
        for (MethodLock lock : locks) {
            if (said.onBusy() == BusyPolicy.THROW) {
                said = lock;
            } else if (lock.onBusy() != BusyPolicy.THROW
                    && (lock.onBusy() != said.onBusy() || !lock.fallback().equals(said.fallback()))) {
                throw new IllegalArgumentException(
                        said + " and " + lock + " have different answers to a busy lock; a method has one");
            }
        }
        return said;
    }

    /**
     * Checks the locks against the manager's defaults. Sends nothing.
     *
     * @return this
     * @throws IllegalArgumentException saying what does not go together
     */
    public LockedMethod check(LockManager manager) {
        for (MethodLock lock : locks) {
            try {
                lock.check(manager);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        name + ": " + lock + " does not go with the lock manager's defaults: " + e.getMessage(), e);
            }
        }
        return this;
    }

    /** Runs the method under its locks; see {@link #call(LockManager, Object[], Body, Fallback)}. */
    public <T> @Nullable T call(LockManager manager, @Nullable Object[] values, Body<T> body) {
        return call(manager, values, body, null);
    }

    /**
     * Runs the method under its locks.
     *
     * @param values for the placeholders, lock by lock as declared, of each the key's and then the owner's
     * @param body the method itself; what it throws comes out as it is, checked or not
     * @param fallback what to call instead when a lock is busy, if that is the policy
     */
    public <T> @Nullable T call(
            LockManager manager, @Nullable Object[] values, Body<T> body, @Nullable Fallback<T> fallback) {
        try {
            return adapter.run(new Invocation<>(this, manager, values, body, fallback));
        } catch (Throwable failure) {
            throw LockedMethod.<RuntimeException>asItIs(failure);
        }
    }

    /** A property of a placeholder's parameter; null of null. What the property throws comes out as it is. */
    public static <T, R> @Nullable R property(@Nullable T of, Property<T, R> property) {
        try {
            return of == null ? null : property.read(of);
        } catch (Throwable failure) {
            throw LockedMethod.<RuntimeException>asItIs(failure);
        }
    }

    List<MethodLock> locks() {
        return locks;
    }

    ResultAdapter adapter() {
        return adapter;
    }

    Class<?> result() {
        return result;
    }

    @Override
    public String toString() {
        return name;
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // so that the compiler lets any exception pass
    private static <X extends Throwable> X asItIs(Throwable failure) throws X {
        throw (X) failure;
    }

    /**
     * What runs under the locks.
     *
     * @param <T> its result
     */
    @FunctionalInterface
    public interface Body<T> {
        /** Runs it, with the leases in the order of the annotations. */
        @Nullable
        T run(List<Lease> leases) throws Throwable;
    }

    /**
     * What leads on from a parameter.
     *
     * @param <T> what has it
     * @param <R> its type
     */
    @FunctionalInterface
    public interface Property<T, R> {
        /** Reads it. */
        @Nullable
        R read(T of) throws Throwable;
    }

    /**
     * What runs instead.
     *
     * @param <T> its result
     */
    @FunctionalInterface
    public interface Fallback<T> {
        /** Runs it. */
        @Nullable
        T run(LockNotAcquiredException busy) throws Throwable;
    }
}
