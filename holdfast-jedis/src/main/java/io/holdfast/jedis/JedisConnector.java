// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisReplyException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.UnifiedJedis;

/**
 * Runs commands on Jedis. Blocking: {@link #send} does its I/O on the calling thread and returns a completed stage.
 * Thread-safe. Creating one does no I/O.
 *
 * <p>A command is written once. The one exception is an application's client that retries on its own (a Cluster client,
 * or one built with {@code maxAttempts}): a copy it gave up on may still reach the server after a later copy was
 * answered. Give Holdfast a client that does not retry.
 */
public final class JedisConnector implements RedisConnector {
    private final Exchange exchange;
    private final Duration commandTimeout;
    private final String endpoint;

    JedisConnector(Exchange exchange, Duration commandTimeout, String endpoint) {
        if (commandTimeout.toMillis() < 1) {
            throw new IllegalArgumentException("command timeout must be at least 1 ms, was " + commandTimeout);
        }
        this.exchange = exchange;
        this.commandTimeout = commandTimeout;
        this.endpoint = endpoint;
    }

    /** {@code localhost:6379} without password, 2 s. */
    public static JedisConnector connect() {
        return connect(RedisAddress.local());
    }

    /** A pool of its own to this address, closed with the connector. */
    public static JedisConnector connect(RedisAddress address) {
        return builder().address(address).build();
    }

    /** A pool of its own, with all that can be set. */
    public static JedisConnectorBuilder builder() {
        return new JedisConnectorBuilder();
    }

    /** The application's pool, never closed here; 2 s count as its command timeout. */
    @SuppressWarnings("deprecation") // Jedis prefers RedisClient since 7.2; applications still have JedisPool.
    public static JedisConnector using(JedisPool pool) {
        return using(pool, RedisAddress.DEFAULT_TIMEOUT);
    }

    /**
     * The application's pool, never closed here. Jedis does not tell a pool's socket timeout, so say it: a larger value
     * makes the engine wait in vain, a smaller one makes it give up on replies that still come.
     */
    @SuppressWarnings("deprecation") // as above
    public static JedisConnector using(JedisPool pool, Duration commandTimeout) {
        String endpoint = "the application's JedisPool";
        PoolExchange<Jedis> exchange =
                new PoolExchange<>(pool, Jedis::getConnection, new Failures(endpoint, commandTimeout), false);
        return new JedisConnector(exchange, commandTimeout, endpoint);
    }

    /** The application's client, never closed here; 2 s count as its command timeout. */
    public static JedisConnector using(UnifiedJedis client) {
        return using(client, RedisAddress.DEFAULT_TIMEOUT);
    }

    /** The application's client ({@code RedisClient} and the like), never closed here, and its socket timeout. */
    public static JedisConnector using(UnifiedJedis client, Duration commandTimeout) {
        String endpoint = "the application's " + client.getClass().getSimpleName();
        UnifiedExchange exchange = new UnifiedExchange(client, new Failures(endpoint, commandTimeout));
        return new JedisConnector(exchange, commandTimeout, endpoint);
    }

    @Override
    public CompletionStage<@Nullable Object> send(RedisCommand command) {
        try {
            return CompletableFuture.completedFuture(exchange.call(command));
        } catch (RedisReplyException | RedisConnectionException e) {
            return CompletableFuture.failedFuture(e);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(RedisConnectionException.noReply(
                    command.name() + " to " + endpoint + " failed in the client library", e));
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
        return endpoint;
    }

    @Override
    public void close() {
        exchange.close();
    }

    @Override
    public String toString() {
        return "JedisConnector[" + endpoint + "]";
    }
}
