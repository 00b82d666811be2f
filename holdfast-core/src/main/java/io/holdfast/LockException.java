// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.io.Serial;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Root of what a lock can throw; says which lock and how long the call had been under way. */
public abstract class LockException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String key;
    private final Duration elapsed;

    LockException(String message, String key, Duration elapsed, @Nullable Throwable cause) {
        super(message, cause);
        this.key = key;
        this.elapsed = elapsed;
    }

    /** The business key. */
    public final String key() {
        return key;
    }

    /** From the start of the call (for a lost lease: from the grant) until this was thrown. */
    public final Duration elapsed() {
        return elapsed;
    }
}
