// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RespReaderTest {
    private static RespReader reader(String stream) {
        return new RespReader(new ByteArrayInputStream(stream.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+OK\r\n",
                "-ERR no\r\n",
                ":-1\r\n",
                "$-1\r\n",
                "$0\r\n\r\n",
                "$6\r\na\r\nb\r\n\r\n",
                "*-1\r\n",
                "*0\r\n",
                "*2\r\n$1\r\na\r\n*2\r\n:1\r\n$-1\r\n",
                "_\r\n",
                "#t\r\n",
                ",3.14\r\n",
                "(3492890328409238509324850943850943825024385\r\n",
                "!5\r\nERR x\r\n",
                "=7\r\ntxt:abc\r\n",
                "%2\r\n+a\r\n:1\r\n+b\r\n*1\r\n:2\r\n",
                "~2\r\n+a\r\n+b\r\n",
                ">3\r\n+message\r\n+ch\r\n+x\r\n",
                "|1\r\n+ttl\r\n:3600\r\n*2\r\n:1\r\n:2\r\n"
            })
    void reply_ofEveryType_isOneMessageWithAllItsBytes(String reply) throws Exception {
        RespReader reader = reader("+before\r\n" + reply + "+after\r\n");
        assertThat(reader.reply().text()).isEqualTo("+before\r\n");
        assertThat(reader.reply().text()).isEqualTo(reply);
        assertThat(reader.reply().text()).isEqualTo("+after\r\n");
        assertThat(reader.reply()).isNull();
    }

    @Test
    void reply_thatIsAListOrPush_tellsItsFirstText() throws Exception {
        RespReader reader =
                reader("*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nx\r\n>2\r\n+pong\r\n+\r\n$7\r\nmessage\r\n");
        assertThat(reader.reply().kind()).isEqualTo("message");
        assertThat(reader.reply().kind()).isEqualTo("pong");
        assertThat(reader.reply().kind()).as("no list").isEmpty();
    }

    @Test
    void requests_pipelinedOrTyped_areToldApart() throws Exception {
        RespReader reader = reader("*2\r\n$3\r\nGET\r\n$2\r\nä\r\nPING  hello\r\n\r\n*1\r\n$4\r\nPING\r\n");
        assertThat(reader.request().words()).containsExactly("GET", "ä");
        assertThat(reader.request().words()).containsExactly("PING", "hello");
        assertThat(reader.request().words()).isEqualTo(List.of());
        assertThat(reader.request().words()).containsExactly("PING");
        assertThat(reader.request()).isNull();
    }

    @Test
    void stream_thatEndsInsideAMessageOrIsNone_isAnError() {
        assertThatThrownBy(() -> reader("$5\r\nab").reply()).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> reader("*2\r\n+a").reply()).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> reader("HTTP/1.1 200 OK\r\n").reply()).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> reader("*x\r\n").request()).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> reader("\r\n").reply()).isInstanceOf(ProtocolException.class);
    }
}
