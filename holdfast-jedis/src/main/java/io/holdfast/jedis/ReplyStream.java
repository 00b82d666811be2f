// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import redis.clients.jedis.util.RedisInputStream;

/** What a server sends, for Jedis to read; and whether a reply is there as a whole, so that reading it can't block. */
final class ReplyStream extends RedisInputStream {
    private static final int INCOMPLETE = -1;

    ReplyStream(InputStream in) {
        super(in);
    }

    /** Takes in what has come if there is nothing left, which doesn't block either. */
    boolean hasWhole() throws IOException {
        if (count == limit && in.available() > 0) {
            limit = Math.max(0, in.read(buf));
            count = 0;
        }
        return count < limit && endOf(count) != INCOMPLETE;
    }

    /** Whether something is there that is not a whole reply. */
    boolean hasPart() {
        return count < limit && endOf(count) == INCOMPLETE;
    }

    /** Where the reply ends that begins there. */
    private int endOf(int start) {
        int line = endOfLine(start);
        if (line == INCOMPLETE) {
            return INCOMPLETE;
        }
        return switch (buf[start]) {
            case '*', '>' -> endOfAll(line, length(start, line));
            case '$' -> endOfBulk(line, length(start, line));
            case '+', '-', ':' -> line;
            default -> INCOMPLETE; // none of these comes to a subscription
        };
    }

    private int endOfAll(int start, int parts) {
        int end = start;
        for (int i = 0; i < parts && end != INCOMPLETE; i++) {
            end = endOf(end);
        }
        return end;
    }

    private int endOfBulk(int start, int length) {
        if (length < 0) {
            return start; // null
        }
        return length <= limit - start - 2 ? start + length + 2 : INCOMPLETE;
    }

    private int endOfLine(int start) {
        for (int i = start; i + 1 < limit; i++) {
            if (buf[i] == '\r' && buf[i + 1] == '\n') {
                return i + 2;
            }
        }
        return INCOMPLETE;
    }

    private int length(int start, int end) {
        return Integer.parseInt(new String(buf, start + 1, end - start - 3, StandardCharsets.US_ASCII));
    }
}
