// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.io.Serial;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The server answered with an error: the command is known not to have been carried out. */
public final class RedisReplyException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final Pattern WRAPPED = Pattern.compile("^ERR Error running script .*: -([A-Z]+) ");

    /** The server's error line, e.g. {@code OOM command not allowed …}. */
    public RedisReplyException(String message) {
        super(message, null, false, false);
    }

    /**
     * The first word of the error, e.g. {@code NOSCRIPT}, {@code WRONGTYPE}, {@code OOM}; of an error inside a script the
     * word of that error. Redis 6 wraps those, and a permission that a script lacks has no word of its own on any server:
     * it is {@code NOPERM} here as elsewhere.
     */
    public String code() {
        String message = String.valueOf(getMessage());
        if (message.contains("ACL failure in script") || message.contains("The user executing the script can't")) {
            return "NOPERM";
        }
        Matcher wrapped = WRAPPED.matcher(message);
        if (wrapped.find()) {
            return wrapped.group(1);
        }
        int space = message.indexOf(' ');
        return space < 0 ? message : message.substring(0, space);
    }
}
