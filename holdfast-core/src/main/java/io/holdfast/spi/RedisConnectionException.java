// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** No reply came: the connection failed, or the time was up. */
public final class RedisConnectionException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final boolean maybeExecuted;

    private RedisConnectionException(String message, @Nullable Throwable cause, boolean maybeExecuted) {
        super(message, cause);
        this.maybeExecuted = maybeExecuted;
    }

    /** The command never left this process (refused connection, exhausted pool): it was not carried out. */
    public static RedisConnectionException notSent(String message, @Nullable Throwable cause) {
        return new RedisConnectionException(message, cause, false);
    }

    /** The command may have been, or may yet be, carried out. When in doubt, this one. */
    public static RedisConnectionException noReply(String message, @Nullable Throwable cause) {
        return new RedisConnectionException(message, cause, true);
    }

    /** Whether the server may have carried the command out, now or later. */
    public boolean maybeExecuted() {
        return maybeExecuted;
    }
}
