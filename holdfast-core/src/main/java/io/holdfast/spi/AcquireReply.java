// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import org.jspecify.annotations.Nullable;

/** What Redis said to a try: the lock is yours, or somebody else has it. An error is neither and comes as an exception. */
public sealed interface AcquireReply {

    /**
     * The lock is the caller's.
     *
     * @param fenceBase the fence base of this grant, 0 when fencing is off
     * @param wanted whether others wait for it already
     * @param told whether word of it must have been sent before: it was passed on, to somebody in the queue. Unless the caller
     *     stood there, it repeats a grant
     * @param handedOver whether it was passed on for good and not for a moment, which a zero before the fence base at the lock key
     *     tells: those who join the queue then do not say so
     * @param behind the ids ({@link Signals#ID_LENGTH} characters each) of those right behind in the queue of a fair lock, up to
     *     the first of another process
     */
    record Granted(long fenceBase, boolean wanted, boolean told, boolean handedOver, String behind)
            implements AcquireReply {
        /** Not handed over, and with nobody of the same process behind. */
        public Granted(long fenceBase, boolean wanted, boolean told) {
            this(fenceBase, wanted, told, false, "");
        }
    }

    /**
     * The lock is another's.
     *
     * @param value the value at the lock key, or null when it is not known or not a string
     * @param ttlMillis how long the key still lives, -1 for ever, -2 unknown
     * @param incompatible whether the key holds something that is no lock of this kind (another type)
     * @param queued whether the caller stands in the queue, and will hear when it is its turn
     */
    record Contended(@Nullable String value, long ttlMillis, boolean incompatible, boolean queued)
            implements AcquireReply {}
}
