// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

/**
 * How {@link io.holdfast.Lock} is woven. A bean of this type replaces the defaults; declare it in a static method, with the
 * infrastructure role, because the advisor is needed before most beans.
 *
 * @param order of the advisor among others; lower is further outside
 * @param inTransaction what to do inside a transaction that the caller began
 * @param warnOfSelfInvocation whether classes are searched for calls that bypass their proxy
 */
public record LockAdviceSettings(int order, InTransaction inTransaction, boolean warnOfSelfInvocation) {

    /** Outside the transaction, cache and other advisors that have the lowest precedence, which is their default. */
    public static final int DEFAULT_ORDER = Integer.MAX_VALUE - 100;

    /** Outside of transactions, with a warning inside one, and with a look for self-invocation. */
    public static LockAdviceSettings defaults() {
        return new LockAdviceSettings(DEFAULT_ORDER, InTransaction.WARN, true);
    }
}
