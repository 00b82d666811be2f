// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.io.Serial;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Redis could not be asked, or did not do as asked. Says nothing about who has the lock. */
public final class LockBackendException extends LockException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final boolean unavailable;

    LockBackendException(String message, String key, Duration elapsed, boolean unavailable, @Nullable Throwable cause) {
        super(message, key, elapsed, cause);
        this.unavailable = unavailable;
    }

    /**
     * True when trying later may help (unreachable, silent, loading, read-only, out of memory …), false when somebody has
     * to mend something first (password, permissions, a broken key).
     */
    public boolean isUnavailable() {
        return unavailable;
    }
}
