// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.holdfast.spi.RedisReplyException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects any reply as {@code Long}, {@code String}, {@code null} and lists of these. What only RESP3 has becomes what
 * RESP2 would have sent: booleans 1 and 0, doubles their text, maps a flat list. An error inside an array, which concerns
 * one element and not the command, becomes a {@link RedisReplyException} in its place.
 *
 * <p>Lettuce calls this while it parses, on one thread.
 */
final class ReplyOutput extends CommandOutput<byte[], byte[], @Nullable Object> {
    /** Lists that still get elements, innermost first; null until the reply turns out to be a list. */
    private @Nullable Deque<List<@Nullable Object>> open;

    ReplyOutput() {
        super(ByteArrayCodec.INSTANCE, null);
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        add(bytes == null ? null : StandardCharsets.UTF_8.decode(bytes).toString());
    }

    @Override
    public void set(long integer) {
        add(integer);
    }

    @Override
    public void set(double number) {
        add(
                Double.isFinite(number)
                        ? new BigDecimal(Double.toString(number))
                                .stripTrailingZeros()
                                .toPlainString()
                        : Double.toString(number));
    }

    @Override
    public void set(boolean value) {
        add(value ? 1L : 0L);
    }

    @Override
    public void setError(ByteBuffer message) {
        if (open == null || open.isEmpty()) {
            super.setError(message);
        } else {
            add(new RedisReplyException(decodeString(message)));
        }
    }

    /** A list begins; a count below zero is RESP2's null list. */
    @Override
    public void multi(int count) {
        if (count < 0) {
            add(null);
            return;
        }
        List<@Nullable Object> list = new ArrayList<>(count);
        add(list);
        if (open == null) {
            open = new ArrayDeque<>();
        }
        open.push(list);
    }

    /** An element is finished, {@code depth} lists remain open. */
    @Override
    public void complete(int depth) {
        while (open != null && open.size() > depth) {
            open.pop();
        }
    }

    private void add(@Nullable Object value) {
        if (open == null || open.isEmpty()) {
            output = value;
        } else {
            open.getFirst().add(value);
        }
    }
}
