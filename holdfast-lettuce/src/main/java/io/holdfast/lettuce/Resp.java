// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.List;

/** Writes a command as the array of bulk strings that every version of the Redis protocol understands. */
final class Resp {
    private static final int CRLF = '\r' << 8 | '\n';

    private Resp() {}

    static void write(ByteBuf out, List<String> words) {
        header(out, '*', words.size());
        for (String word : words) {
            header(out, '$', ByteBufUtil.utf8Bytes(word));
            ByteBufUtil.writeUtf8(out, word);
            out.writeShort(CRLF);
        }
    }

    private static void header(ByteBuf out, char kind, int count) {
        out.writeByte(kind);
        digits(out, count);
        out.writeShort(CRLF);
    }

    private static void digits(ByteBuf out, int number) {
        if (number >= 10) {
            digits(out, number / 10);
        }
        out.writeByte('0' + number % 10);
    }
}
