// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.Lookout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;

class EagerConnectionTest {
    @Test
    void connection_looksOutForItsReplies() {
        AtomicInteger looked = new AtomicInteger();
        Lookout lookout = new Lookout(looked::incrementAndGet, Duration.ofNanos(1_000_000));
        lookout.begin();
        try (EmbeddedRedis server = EmbeddedRedis.start();
                ConnectionPool pool = new ConnectionPool(EagerConnection.factory(
                        new HostAndPort(server.host(), server.port()),
                        DefaultJedisClientConfig.builder().build(),
                        lookout));
                Connection connection = pool.getResource()) {
            int before = looked.get();

            connection.sendCommand(Protocol.Command.PING);
            assertThat(connection.getOne()).isEqualTo("PONG".getBytes(StandardCharsets.US_ASCII));

            assertThat(looked.get()).isGreaterThan(before);
        }
    }
}
