// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

/** Why a lease is no longer its holder's. */
public enum LostReason {
    /** Its time ran out: a fixed lease ended, or renewal could not reach Redis in time. */
    EXPIRED,
    /** Redis says the key is gone or another's: deleted, evicted, flushed, lost in a failover. */
    GONE,
    /** It reached the maximum hold, or the limit over acquire and block. */
    MAX_HOLD,
    /** The {@link Holdfast} it came from was closed. */
    CLOSED
}
