// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.RedisReplyException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Turns what Jedis read into {@code Long}, {@code String}, {@code null} and lists of these. What only RESP3 has becomes
 * what RESP2 would have sent: booleans 1 and 0, doubles their text, maps a flat list. An error inside an array, which
 * concerns one element and not the command, becomes a {@link RedisReplyException} in its place.
 */
final class Replies {
    private Replies() {}

    static @Nullable Object convert(@Nullable Object raw) {
        if (raw == null || raw instanceof Long) {
            return raw;
        }
        if (raw instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        if (raw instanceof List<?> list) {
            return convert(list);
        }
        if (raw instanceof JedisDataException error) {
            return new RedisReplyException(String.valueOf(error.getMessage()));
        }
        if (raw instanceof Boolean truth) {
            return truth ? 1L : 0L;
        }
        if (raw instanceof Double number) {
            return text(number);
        }
        return raw.toString();
    }

    private static List<@Nullable Object> convert(List<?> raw) {
        List<@Nullable Object> list = new ArrayList<>(raw.size());
        for (Object element : raw) {
            if (element instanceof Map.Entry<?, ?> pair) {
                list.add(convert(pair.getKey()));
                list.add(convert(pair.getValue()));
            } else {
                list.add(convert(element));
            }
        }
        return list;
    }

    private static String text(double number) {
        return Double.isFinite(number)
                ? new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString()
                : Double.toString(number);
    }
}
