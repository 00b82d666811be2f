// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TokensTest {
    private final Tokens tokens = new Tokens("host-a/4711");

    @Test
    void next_has128RandomBitsFirstThenInstanceMaxTtlAndNote() {
        String token = tokens.next(30_000);

        assertThat(token).matches("[\\w-]{22}[\\w-]{12}\\.30000~host-a/4711");
        assertThat(Base64.getUrlDecoder().decode(token.substring(0, 22))).hasSize(16);
        assertThat(token.substring(22, 34)).isEqualTo(tokens.instance());
    }

    @Test
    void next_everyRandomBitVaries() {
        byte[] ones = new byte[16];
        byte[] zeros = new byte[16];
        for (int i = 0; i < 200; i++) {
            byte[] random = Base64.getUrlDecoder().decode(tokens.next(1).substring(0, 22));
            for (int b = 0; b < 16; b++) {
                ones[b] |= random[b];
                zeros[b] |= (byte) ~random[b];
            }
        }
        assertThat(ones).containsOnly((byte) 0xff);
        assertThat(zeros).containsOnly((byte) 0xff);
    }

    @Test
    void next_100000Times_neverRepeats() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 100_000; i++) {
            seen.add(tokens.next(30_000).substring(0, 22));
        }
        assertThat(seen).hasSize(100_000);
    }

    @Test
    void instance_ofTwoProcesses_differs() {
        assertThat(new Tokens("a").instance()).isNotEqualTo(new Tokens("a").instance());
    }

    @Test
    void note_unprintableOrLong_becomesPrintableAsciiWithoutTheSeparators() {
        String token = new Tokens("hö st#1~\n" + "x".repeat(200)).next(1);

        assertThat(token).matches("[\\x21-\\x7e]+").hasSizeLessThanOrEqualTo(34 + 3 + 80);
        assertThat(LockValue.parse(token).orElseThrow().note()).startsWith("h__st_1__x");
    }

    @Test
    void processNote_namesThisProcess() {
        assertThat(Tokens.processNote()).endsWith("/" + ProcessHandle.current().pid());
    }

    @Test
    void processNote_namesTheHostAsTheJdkDoes() throws Exception {
        String host = InetAddress.getLocalHost().getHostName();
        assertThat(Tokens.processNote())
                .isEqualTo(host + "/" + ProcessHandle.current().pid());
    }

    @Test
    void hint_showsSixCharacters() {
        String token = tokens.next(1);
        assertThat(Tokens.hint(token)).isEqualTo(token.substring(0, 6) + "…");
        assertThat(Tokens.hint("abc")).isEqualTo("abc…");
    }
}
