// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.RedisReplyException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads replies of scripts; anything that is not as the script's header says is an error, never a guess. */
final class Replies {
    private static final int SHOWN = 80;

    private Replies() {}

    static List<?> list(@Nullable Object reply) {
        if (reply instanceof List<?> list) {
            return list;
        }
        throw unexpected(reply);
    }

    static String text(@Nullable Object reply) {
        if (reply instanceof String text) {
            return text;
        }
        throw unexpected(reply);
    }

    static long number(@Nullable Object reply) {
        if (reply instanceof Long number) {
            return number;
        }
        throw unexpected(reply);
    }

    static boolean isOne(@Nullable Object reply) {
        return number(reply) == 1;
    }

    static RedisReplyException unexpected(@Nullable Object reply) {
        if (reply == null) {
            return new RedisReplyException("UNEXPECTED reply: nil");
        }
        String text = reply.toString();
        return new RedisReplyException("UNEXPECTED reply: " + reply.getClass().getSimpleName() + " "
                + (text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…"));
    }
}
