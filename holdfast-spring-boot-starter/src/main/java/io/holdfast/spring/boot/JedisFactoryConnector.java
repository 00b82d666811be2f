// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import java.time.Duration;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import redis.clients.jedis.UnifiedJedis;

/** Locks on the connections of the application's Jedis client. */
final class JedisFactoryConnector extends FactoryConnector {
    private final JedisConnectionFactory factory;
    private final Duration commandTimeout;

    private JedisFactoryConnector(JedisConnectionFactory factory) {
        this.factory = factory;
        this.commandTimeout = timeout(factory);
    }

    /**
     * On the factory's client, or when it hides a pool of the older kind ({@code setUseUnifiedJedis(false)}), on connections of
     * its own to the same address.
     */
    static RedisConnector of(JedisConnectionFactory factory) {
        if (!factory.isUseUnifiedJedis()) {
            return JedisConnector.connect(address(factory));
        }
        HostCheck.warnIfMissing(factory.getClientConfiguration());
        return new JedisFactoryConnector(factory);
    }

    @Override
    RedisConnector open() {
        // A wrapper around the shared client, which closing it leaves open.
        try (RedisConnection wrapper = factory.getConnection()) {
            return JedisConnector.using((UnifiedJedis) wrapper.getNativeConnection(), commandTimeout);
        }
    }

    @Override
    public boolean blocking() {
        return true;
    }

    @Override
    public Duration commandTimeout() {
        return commandTimeout;
    }

    @Override
    public String endpoint() {
        return endpoint(factory.getHostName(), factory.getPort(), factory.getDatabase(), factory.isUseSsl());
    }

    @Override
    public int getPhase() {
        return factory.getPhase() + 1; // started after it, stopped before it
    }

    private static RedisAddress address(JedisConnectionFactory factory) {
        RedisStandaloneConfiguration server = factory.getStandaloneConfiguration();
        JedisClientConfiguration client = factory.getClientConfiguration();
        boolean ownTrust = client.isUseSsl() && client.getSslSocketFactory().isPresent();
        if (server == null || ownTrust) {
            throw new HoldfastConfigurationException(
                    "The application's JedisConnectionFactory hides its client, and Holdfast can't make one like it.",
                    "Leave useUnifiedJedis on, or define a bean of type RedisConnector.");
        }
        return new RedisAddress(
                server.getHostName(),
                server.getPort(),
                server.getUsername(),
                server.getPassword().map(String::new).orElse(null),
                server.getDatabase(),
                client.isUseSsl(),
                timeout(factory));
    }

    private static Duration timeout(JedisConnectionFactory factory) {
        Duration set = factory.getClientConfiguration().getReadTimeout();
        return set.toMillis() > 0 ? set : RedisAddress.DEFAULT_TIMEOUT; // zero waits for ever
    }
}
