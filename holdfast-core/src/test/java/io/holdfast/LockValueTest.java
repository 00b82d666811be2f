// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockValueTest {
    private static final String ID = "Aa0_-Aa0_-Aa0_-Aa0_-AAinstance_-12";
    private static final String TOKEN = ID + ".30000~host-a/4711";

    @Test
    void parse_unfenced_hasNoFence() {
        assertThat(LockValue.parse(TOKEN)).contains(new LockValue(TOKEN, 30_000, "host-a/4711", 0));
    }

    @Test
    void parse_fenced_separatesTokenAndFence() {
        assertThat(LockValue.parse(TOKEN + "#1763242798123456"))
                .contains(new LockValue(TOKEN, 30_000, "host-a/4711", 1_763_242_798_123_456L));
    }

    @Test
    void fenced_thenParsed_isTheSame() {
        String token = new Tokens("host/1").next(86_400_000);
        LockValue value = LockValue.parse(LockValue.fenced(token, 42, false)).orElseThrow();

        assertThat(value).isEqualTo(new LockValue(token, 86_400_000, "host/1", 42));
        assertThat(LockValue.fenced(token, 0, false)).isEqualTo(token);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "e7a1c2d0-1111-2222-3333-444455556666",
                "e7a1c2d0-1111-2222-3333-444455556666:17",
                "short.30000~host/1",
                ID + ".30000",
                ID + ".~host/1",
                ID + ".-1~host/1",
                ID + ".99999999999~host/1",
                ID + ".30000~host/1#",
                ID + ".30000~host/1#12#13",
                ID + ".30000~host/1#9999999999999999999"
            })
    void parse_ofAnotherLibrary_isEmpty(String value) {
        assertThat(LockValue.parse(value)).isEmpty();
    }
}
