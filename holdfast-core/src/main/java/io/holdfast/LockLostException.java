// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.io.Serial;
import java.time.Duration;

/**
 * The lock was held and is not any more: what ran since then ran beside others. Fenced writes were refused; anything else
 * has to be checked.
 */
public final class LockLostException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final LostReason reason;

    LockLostException(String key, LostReason reason, Duration held) {
        super("Lock lost: " + key + " after " + held.toMillis() + " ms (" + explain(reason) + ")", key, held, null);
        this.reason = reason;
    }

    /** Why. */
    public LostReason reason() {
        return reason;
    }

    private static String explain(LostReason reason) {
        return switch (reason) {
            case EXPIRED -> "its time ran out: a longer ttl, or renewal, or a reachable Redis would have kept it";
            case GONE -> "Redis no longer has it: deleted, evicted, flushed, or lost in a failover";
            case MAX_HOLD -> "it reached the maximum hold or the limit set for it";
            case CLOSED -> "Holdfast was closed";
        };
    }
}
