// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The random part of a token. Kept instead of its text, which is three times as long: a process may hold a hundred thousand. For
 * the same reason a {@link Bid} has none, but is one.
 */
class TokenId {
    static final int BYTES = 16;
    /** Characters of the text. */
    static final int LENGTH = 22;

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final long high;
    private final long low;

    TokenId(byte[] random) {
        ByteBuffer bits = ByteBuffer.wrap(random);
        this.high = bits.getLong();
        this.low = bits.getLong();
    }

    /** Of what a message calls a token by, which begins with it; null for what nobody here can have sent. */
    static @Nullable TokenId ofWord(String word) {
        try {
            return word.length() < LENGTH
                    ? null
                    : new TokenId(Base64.getUrlDecoder().decode(word.substring(0, LENGTH)));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    final String text() {
        return ENCODER.encodeToString(
                ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array());
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other instanceof TokenId id && id.high == high && id.low == low;
    }

    /** By hand, as {@code equals}: those of a record are made at run time, and the first lock of a process would wait for it. */
    @Override
    public final int hashCode() {
        return Long.hashCode(low);
    }
}
