// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.RedisReplyException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads replies of scripts; anything that is not as the script's header says is an error, never a guess. */
final class Replies {
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
        return new RedisReplyException(
                "UNEXPECTED reply: " + (reply == null ? "nil" : reply.getClass().getSimpleName()));
    }
}
