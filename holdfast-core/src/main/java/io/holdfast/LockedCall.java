// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

/**
 * A block with a result that runs under a lock. It may throw what it likes: the caller sees that very type, and needs no
 * {@code catch} when it throws nothing checked.
 *
 * @param <T> its result
 * @param <X> what it throws
 */
@FunctionalInterface
public interface LockedCall<T, X extends Exception> {

    /** Runs the block. */
    T call() throws X;
}
