// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

/**
 * What to do when a method with {@link io.holdfast.Lock} is called inside a transaction that its caller began. The lock would
 * end with the method, the transaction later: in between, the next holder does not see what this one wrote.
 */
public enum InTransaction {
    /** The lock ends with the method. Said in the log, once per method. */
    WARN,
    /**
     * The lock is held until the transaction is complete. When it is lost before the commit, the commit fails with
     * {@link io.holdfast.LockLostException} and the transaction is rolled back, unless the annotation says only to warn.
     */
    RELEASE_AFTER_COMPLETION,
    /** The call fails with {@code IllegalTransactionStateException}, before the lock is taken. */
    REFUSE
}
