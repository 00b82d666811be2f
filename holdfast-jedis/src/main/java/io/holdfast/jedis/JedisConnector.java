// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisReplyException;
import io.holdfast.spi.Subscriber;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.RedisClient;
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
    private final Listening listening;
    private final Duration commandTimeout;
    private final String endpoint;
    private final Set<JedisSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    JedisConnector(Exchange exchange, Listening listening, Duration commandTimeout, String endpoint) {
        if (commandTimeout.toMillis() < 1) {
            throw new IllegalArgumentException("command timeout must be at least 1 ms, was " + commandTimeout);
        }
        this.exchange = exchange;
        this.listening = listening;
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

    /**
     * The application's pool, never closed here; 2 s count as its command timeout. From when somebody first has to wait, one of
     * its connections listens: leave room for it.
     */
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
        Failures failures = new Failures(endpoint, commandTimeout);
        return new JedisConnector(
                new PoolExchange<>(pool, Jedis::getConnection, failures, false),
                new ConnectionListening<>(pool::getResource, Jedis::getConnection, failures),
                commandTimeout,
                endpoint);
    }

    /**
     * The application's client, never closed here; 2 s count as its command timeout. From when somebody first has to wait, one
     * of its connections listens: leave room for it.
     */
    public static JedisConnector using(UnifiedJedis client) {
        return using(client, RedisAddress.DEFAULT_TIMEOUT);
    }

    /** The application's client ({@code RedisClient} and the like), never closed here, and its socket timeout. */
    public static JedisConnector using(UnifiedJedis client, Duration commandTimeout) {
        String endpoint = "the application's " + client.getClass().getSimpleName();
        Failures failures = new Failures(endpoint, commandTimeout);
        return new JedisConnector(
                new UnifiedExchange(client, failures), listening(client, failures), commandTimeout, endpoint);
    }

    private static Listening listening(UnifiedJedis client, Failures failures) {
        return client instanceof RedisClient pooled
                ? new ConnectionListening<>(pooled.getPool()::getResource, connection -> connection, failures)
                : new UnifiedListening(client, failures);
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
    public Subscription subscribe(String channel, Subscriber subscriber) {
        JedisSubscription subscription = new JedisSubscription(closed ? this::refuse : listening, channel, subscriber);
        subscriptions.add(subscription);
        subscription.start(subscriptions::remove);
        if (closed) {
            subscription.leave(); // close() may not have seen it
        }
        return subscription;
    }

    private void refuse(JedisPubSub pubSub, String channel, Consumer<Reading> open) {
        throw RedisConnectionException.notSent(
                "no subscription to " + channel + ": the connector to " + endpoint + " is closed", null);
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
        closed = true;
        exchange.close();
        subscriptions.forEach(JedisSubscription::leave);
    }

    @Override
    public String toString() {
        return "JedisConnector[" + endpoint + "]";
    }
}
