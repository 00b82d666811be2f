// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

/** What becomes of the result of a method with {@link Lock} when the lock was lost while it ran. */
public enum LossPolicy {
    /** {@link LockLostException} in its place: part of the method may have run beside others. */
    THROW,
    /** A warning in the log. */
    WARN
}
