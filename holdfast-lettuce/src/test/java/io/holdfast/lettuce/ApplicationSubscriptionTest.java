// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisReplyException;
import io.holdfast.spi.Subscriber;
import io.holdfast.testkit.SubscriptionContract;
import io.holdfast.testkit.TestServers;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.ProtocolVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Listening with a client that belongs to the application, and reconnects on its own as Lettuce does by default. */
@ParameterizedClass(name = "{0}")
@EnumSource(ProtocolVersion.class)
class ApplicationSubscriptionTest extends SubscriptionContract {
    @Parameter
    ProtocolVersion protocol;

    private final List<RedisClient> clients = new ArrayList<>();

    @Override
    protected Target target() {
        return new Target(TestServers.embedded(), this::using);
    }

    private RedisConnector using(RedisAddress address) {
        return LettuceConnector.using(client(address), address.timeout());
    }

    private RedisClient client(RedisAddress address) {
        RedisURI.Builder uri = RedisURI.builder()
                .withHost(address.host())
                .withPort(address.port())
                .withDatabase(address.database())
                .withTimeout(address.timeout());
        if (address.user() != null) {
            uri.withAuthentication(address.user(), address.password().toCharArray());
        }
        RedisClient client = RedisClient.create(uri.build());
        client.setOptions(ClientOptions.builder().protocolVersion(protocol).build());
        clients.add(client);
        return client;
    }

    @AfterEach
    void shutDown() {
        clients.forEach(client -> client.shutdown(Duration.ZERO, Duration.ofSeconds(1)));
    }

    @Test
    void singleConnection_refusesWithAReason() throws Exception {
        try (StatefulRedisConnection<String, String> connection =
                client(redis().address()).connect()) {
            assertThat(end(LettuceConnector.using(connection)))
                    .isInstanceOf(RedisReplyException.class)
                    .hasMessageContaining("RedisClient");
        }
    }

    @Test
    void clientThatWasShutDown_endsIt() throws Exception {
        RedisClient client = client(redis().address());
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));

        assertThat(end(LettuceConnector.using(client))).isInstanceOf(RedisConnectionException.class);
    }

    private static RuntimeException end(RedisConnector connector) throws Exception {
        CompletableFuture<RuntimeException> end = new CompletableFuture<>();
        connector.subscribe("channel", new Subscriber() {
            @Override
            public void subscribed() {}

            @Override
            public void message(String text) {}

            @Override
            public void ended(RuntimeException cause) {
                end.complete(cause);
            }
        });
        return end.get(20, TimeUnit.SECONDS);
    }
}
