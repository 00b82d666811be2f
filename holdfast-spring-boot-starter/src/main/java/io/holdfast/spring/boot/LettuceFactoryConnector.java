// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import io.holdfast.lettuce.LettuceConnector;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Locks on the application's Lettuce client: its threads, login and TLS, but connections of their own. */
final class LettuceFactoryConnector extends FactoryConnector {
    private final LettuceConnectionFactory factory;
    private final Duration commandTimeout;

    LettuceFactoryConnector(LettuceConnectionFactory factory) {
        this.factory = factory;
        Duration set = factory.getClientConfiguration().getCommandTimeout();
        // A minute is what Lettuce takes when nobody said anything; a lock's caller should not have to bear that.
        boolean chosen = set.toMillis() > 0 && !set.equals(RedisURI.DEFAULT_TIMEOUT_DURATION);
        this.commandTimeout = chosen ? set : RedisAddress.DEFAULT_TIMEOUT;
    }

    @Override
    RedisConnector open() {
        return LettuceConnector.using((RedisClient) factory.getRequiredNativeClient(), commandTimeout);
    }

    @Override
    public boolean blocking() {
        return false;
    }

    @Override
    public Duration commandTimeout() {
        return commandTimeout;
    }

    @Override
    public String endpoint() {
        RedisSocketConfiguration socket = factory.getSocketConfiguration();
        return socket != null
                ? "redis-socket://" + socket.getSocket()
                : endpoint(factory.getHostName(), factory.getPort(), factory.getDatabase(), factory.isUseSsl());
    }

    @Override
    public int getPhase() {
        return factory.getPhase() + 1; // started after it, stopped before it
    }
}
