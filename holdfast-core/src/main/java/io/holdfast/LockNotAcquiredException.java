// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Somebody else has the lock. Carries who, as far as Redis knows, and for how long; a cause only when the wait ended
 * because the thread was interrupted.
 */
public final class LockNotAcquiredException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int attempts;
    private final @Nullable String holder;
    private final @Nullable Duration holderTtl;

    LockNotAcquiredException(
            String key, Duration elapsed, int attempts, LockInfo.Holder holder, @Nullable Throwable cause) {
        super(message(key, elapsed, attempts, holder, cause), key, elapsed, cause);
        this.attempts = attempts;
        this.holder = holder.note();
        this.holderTtl = holder.ttl();
    }

    /** How often Redis was asked. */
    public int attempts() {
        return attempts;
    }

    /** Who holds the lock, e.g. {@code host-a/4711}; empty when Redis does not know. */
    public Optional<String> holder() {
        return Optional.ofNullable(holder);
    }

    /** How long the holder's key still lived when it was last seen: a good time to tell a caller to come back after. */
    public Optional<Duration> holderTtl() {
        return Optional.ofNullable(holderTtl);
    }

    private static String message(
            String key, Duration elapsed, int attempts, LockInfo.Holder holder, @Nullable Throwable cause) {
        StringBuilder text = new StringBuilder("Lock not acquired: ").append(key);
        if (cause != null) {
            text.append(", interrupted");
        }
        text.append(" after ").append(attempts).append(attempts == 1 ? " try in " : " tries in ");
        return text.append(elapsed.toMillis())
                .append(" ms; ")
                .append(holder.describe())
                .toString();
    }
}
