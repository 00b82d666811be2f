// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import org.jspecify.annotations.Nullable;

/** What Redis said to a try: the lock is yours, or somebody else has it. An error is neither and comes as an exception. */
public sealed interface AcquireReply {

    /**
     * The lock is the caller's.
     *
     * @param fenceBase the fence base of this grant, 0 when fencing is off
     */
    record Granted(long fenceBase) implements AcquireReply {}

    /**
     * The lock is another's.
     *
     * @param value the value at the lock key, or null when it is not known or not a string
     * @param ttlMillis how long the key still lives, -1 for ever, -2 unknown
     * @param incompatible whether the key holds something that is no lock of this kind (another type)
     */
    record Contended(@Nullable String value, long ttlMillis, boolean incompatible) implements AcquireReply {}
}
