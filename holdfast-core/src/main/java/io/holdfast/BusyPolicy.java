// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

/** What becomes of a call to a method with {@link Lock} when somebody else keeps the lock. */
public enum BusyPolicy {
    /** {@link LockNotAcquiredException}, which web frameworks answer with 409. */
    THROW,
    /** The method does not run. Its result is an empty {@code Optional}, {@code Mono} or {@code Flux}, false, or null. */
    SKIP,
    /** {@link Lock#fallback()} runs instead. */
    FALLBACK
}
