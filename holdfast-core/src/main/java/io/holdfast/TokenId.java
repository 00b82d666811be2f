// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The random part of a token. Kept instead of its text, which is three times as long: a process may hold a hundred thousand.
 *
 * @param high the first 64 bits
 * @param low the others
 */
record TokenId(long high, long low) {
    static final int BYTES = 16;
    /** Characters of the text. */
    static final int LENGTH = 22;

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    static TokenId of(byte[] random) {
        ByteBuffer bits = ByteBuffer.wrap(random);
        return new TokenId(bits.getLong(), bits.getLong());
    }

    /** Of what a message calls a token by, which begins with it; null for what nobody here can have sent. */
    static @Nullable TokenId ofWord(String word) {
        try {
            return word.length() < LENGTH ? null : of(Base64.getUrlDecoder().decode(word.substring(0, LENGTH)));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    String text() {
        return ENCODER.encodeToString(
                ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array());
    }
}
