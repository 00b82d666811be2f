// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.RawRedis;
import io.holdfast.testkit.TestServers;
import java.io.IOException;
import java.net.SocketException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What comes without having been asked for must not be taken for a reply, or the wrong reply is lost. */
class ProxiedSubscriptionTest {
    private final EmbeddedRedis redis = TestServers.embedded().shared();
    private final RawRedis direct = new RawRedis(redis.host(), redis.port());
    private final FaultyProxy proxy = FaultyProxy.before(redis.host(), redis.port());
    private Wire client;

    @BeforeEach
    void connect() throws IOException {
        client = new Wire(proxy.host(), proxy.port());
        proxy.when(request -> request.get(0).equals("PING") && request.contains("lost"))
                .loseReply();
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        proxy.close();
        direct.close();
    }

    private void assertOnlyTheMarkedReplyIsLost() throws IOException {
        client.sendTogether("PING kept", "PING lost", "PING unseen");
        assertThat(client.read()).contains("kept");
        assertThatThrownBy(client::read).isInstanceOf(SocketException.class).hasMessageContaining("reset");
    }

    @Test
    void messages_ofResp2_areNoReplies() throws Exception {
        client.send("SUBSCRIBE", "a", "b");
        assertThat(client.read()).isEqualTo("*3 $9 subscribe $1 a :1");
        assertThat(client.read()).isEqualTo("*3 $9 subscribe $1 b :2");
        assertThat(client.ask("PSUBSCRIBE", "c*")).isEqualTo("*3 $10 psubscribe $2 c* :3");
        for (int i = 0; i < 3; i++) {
            direct.call("PUBLISH", "a", "subscribe");
            direct.call("PUBLISH", "c1", "x");
            assertThat(client.read()).isEqualTo("*3 $7 message $1 a $9 subscribe");
            assertThat(client.read()).isEqualTo("*4 $8 pmessage $2 c* $2 c1 $1 x");
        }
        assertThat(proxy.traffic().pushes()).isEqualTo(6);
        assertOnlyTheMarkedReplyIsLost();
    }

    @Test
    void messages_ofResp3_mayComeBetweenReplies() throws Exception {
        assertThat(client.ask("HELLO", "3")).startsWith("%");
        assertThat(client.ask("SUBSCRIBE", "a")).isEqualTo(">3 $9 subscribe $1 a :1");
        direct.call("PUBLISH", "a", "x");
        assertThat(client.read()).isEqualTo(">3 $7 message $1 a $1 x");
        direct.call("DEL", "list");
        assertThat(client.ask("RPUSH", "list", "message", "a", "b")).isEqualTo(":3");
        assertThat(client.ask("LRANGE", "list", "0", "-1")).isEqualTo("*3 $7 message $1 a $1 b");
        direct.call("PUBLISH", "a", "y");
        assertThat(client.read()).isEqualTo(">3 $7 message $1 a $1 y");
        assertThat(client.ask("UNSUBSCRIBE")).isEqualTo(">3 $11 unsubscribe $1 a :0");
        assertThat(proxy.traffic().pushes()).isEqualTo(2);
        assertOnlyTheMarkedReplyIsLost();
    }

    @Test
    void list_thatLooksLikeAMessage_isAReplyAfterTheSubscriptionEnded() throws Exception {
        direct.call("DEL", "list");
        direct.call("RPUSH", "list", "message", "a", "b");
        assertThat(client.ask("LRANGE", "list", "0", "-1")).isEqualTo("*3 $7 message $1 a $1 b");
        client.send("SUBSCRIBE", "a", "b");
        client.read();
        client.read();
        client.send("UNSUBSCRIBE");
        assertThat(client.read()).startsWith("*3 $11 unsubscribe");
        assertThat(client.read()).startsWith("*3 $11 unsubscribe").endsWith(":0");
        assertThat(client.ask("LRANGE", "list", "0", "-1")).isEqualTo("*3 $7 message $1 a $1 b");
        assertOnlyTheMarkedReplyIsLost();
    }

    @Test
    void linesOfMonitor_areNoReplies() throws Exception {
        assertThat(client.ask("MONITOR")).isEqualTo("+OK");
        direct.call("ECHO", "hello");
        assertThat(client.read()).contains("hello");
        assertThat(proxy.traffic().pushes()).isOne();
        assertThat(proxy.traffic().replies()).isOne();
    }
}
