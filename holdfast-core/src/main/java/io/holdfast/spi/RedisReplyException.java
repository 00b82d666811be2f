// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.io.Serial;

/** The server answered with an error: the command is known not to have been carried out. */
public final class RedisReplyException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The server's error line, e.g. {@code OOM command not allowed …}. */
    public RedisReplyException(String message) {
        super(message, null, false, false);
    }

    /** The first word of the error, e.g. {@code NOSCRIPT}, {@code WRONGTYPE}, {@code OOM}. */
    public String code() {
        String message = String.valueOf(getMessage());
        int space = message.indexOf(' ');
        return space < 0 ? message : message.substring(0, space);
    }
}
