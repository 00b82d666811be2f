// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.holdfast.spi.Lookout;
import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.Subscriber;
import io.holdfast.spi.Subscription;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands on Lettuce. Not blocking: {@link #send} returns at once, and replies arrive on a netty thread, or on that of a
 * caller who waits for one; neither must be held up. Thread-safe. Creating one does no I/O; the first command connects.
 *
 * <p>A command is written at most once, and never later than its timeout after {@link #send}: a copy of an acquire that
 * arrived after the engine gave it up would take the lock for nobody. Lettuce's own replay after a reconnect is therefore
 * not used, and on an application's connection it is disarmed (see {@link WireCommand}).
 */
public final class LettuceConnector implements RedisConnector {
    private final Link link;
    private final Supplier<CompletionStage<StatefulRedisPubSubConnection<String, String>>> listeners;
    /** How callers may read; null if they can't. */
    private final @Nullable SharedLoops callers;

    private final Duration commandTimeout;
    private final String endpoint;
    private final Set<LettuceSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private LettuceConnector(
            Link link,
            Supplier<CompletionStage<StatefulRedisPubSubConnection<String, String>>> listeners,
            @Nullable SharedLoops callers,
            Duration commandTimeout,
            String endpoint) {
        if (commandTimeout.toMillis() < 1) {
            throw new IllegalArgumentException("command timeout must be at least 1 ms, was " + commandTimeout);
        }
        this.link = link;
        this.listeners = listeners;
        this.callers = callers;
        this.commandTimeout = commandTimeout;
        this.endpoint = endpoint;
    }

    /** {@code localhost:6379} without password, 2 s. */
    public static LettuceConnector connect() {
        return connect(RedisAddress.local());
    }

    /** A client of its own (one I/O thread, which sends together what comes at the same time), closed with the connector. */
    public static LettuceConnector connect(RedisAddress address) {
        return connect(address, Lookout.MOMENT);
    }

    /**
     * As {@link #connect(RedisAddress)}, with a word on how long a thread looks for its reply, or for word of its turn, before it
     * sleeps for it, where that pays; 150 µs by default. It shortens the time a lock on a server nearby takes, and keeps a processor
     * busy meanwhile: of those that wait for replies one thread, and only while no other command is under way, of those that wait
     * for word one more; and hardly ever when the server is farther away, or the lock held for longer. Zero for never.
     *
     * @throws IllegalArgumentException when that is not within 0 to 10 ms
     */
    public static LettuceConnector connect(RedisAddress address, Duration lookout) {
        return connect(address, new SharedLoops(MonotonicClock.SYSTEM, Lookout.pays(lookout)));
    }

    static LettuceConnector connect(RedisAddress address, SharedLoops threads) {
        OwnClient client = new OwnClient(address, threads);
        return new LettuceConnector(client.link(), client::listen, threads, address.timeout(), address.toString());
    }

    /**
     * A connection of its own on the application's client, made with {@code RedisClient.create(uri)}, and a second one that
     * listens, from when somebody first has to wait; only these are closed. 2 s count as the command timeout.
     */
    public static LettuceConnector using(RedisClient client) {
        return using(client, RedisAddress.DEFAULT_TIMEOUT);
    }

    /** As {@link #using(RedisClient)}, with a command timeout. */
    public static LettuceConnector using(RedisClient client, Duration commandTimeout) {
        Link link = new ReopeningLink(
                () -> elsewhere(() -> client.connect(ByteArrayCodec.INSTANCE)),
                LettuceConnector::closeQuietly,
                Link::write);
        return new LettuceConnector(
                link,
                () -> elsewhere(() -> client.connectPubSub(StringCodec.UTF8)),
                null,
                commandTimeout,
                "the application's RedisClient");
    }

    /** The application's connection, never closed here, with the command timeout it was given. */
    public static LettuceConnector using(StatefulRedisConnection<?, ?> connection) {
        Duration timeout = connection.getTimeout();
        return using(connection, timeout.toMillis() < 1 ? RedisAddress.DEFAULT_TIMEOUT : timeout);
    }

    /**
     * The application's connection, never closed here. Any codec will do: commands are encoded without it. Not a
     * connection used for {@code MULTI} or blocking commands, which would swallow or hold up the lock's.
     *
     * <p>It can't listen as well, and no second connection can be had from it: waiters poll. Where locks are contended, hand
     * in the {@link RedisClient} instead.
     */
    public static LettuceConnector using(StatefulRedisConnection<?, ?> connection, Duration commandTimeout) {
        return new LettuceConnector(
                new BorrowedLink(connection),
                () -> CompletableFuture.failedFuture(new RedisCommandExecutionException(
                        "NOPUBSUB one Lettuce connection can't also listen; give Holdfast the RedisClient instead")),
                null,
                commandTimeout,
                "the application's Lettuce connection");
    }

    @Override
    public CompletionStage<@Nullable Object> send(RedisCommand command) {
        WireCommand wire = new WireCommand(command, endpoint, commandTimeout);
        if (closed) {
            wire.refuse("the connector is closed");
        } else {
            link.dispatch(wire);
        }
        return wire;
    }

    @Override
    public Subscription subscribe(String channel, Subscriber subscriber) {
        LettuceSubscription subscription = new LettuceSubscription(channel, subscriber, callers, subscriptions::remove);
        subscriptions.add(subscription);
        if (!closed) {
            subscription.start(listeners);
        }
        if (closed) {
            subscription.end(closedHere()); // close() may not have seen it
        }
        return subscription;
    }

    private IllegalStateException closedHere() {
        return new IllegalStateException("the connector to " + endpoint + " is closed");
    }

    @Override
    public boolean blocking() {
        return false;
    }

    @Override
    public Lookout lookout() {
        return link.lookout();
    }

    @Override
    public Duration commandTimeout() {
        return commandTimeout;
    }

    @Override
    public String endpoint() {
        return endpoint;
    }

    /**
     * Commands still in flight end as unanswered. Waits at most a second for the client's threads, or on an application's client
     * for the connections: that client may be shut down next, and would log a warning for each one that is still closing.
     */
    @Override
    public void close() {
        closed = true;
        link.close();
        subscriptions.forEach(subscription -> subscription.end(closedHere()));
        awaitBriefly(CompletableFuture.allOf(
                subscriptions.stream().map(LettuceSubscription::gone).toArray(CompletableFuture<?>[]::new)));
    }

    @Override
    public String toString() {
        return "LettuceConnector[" + endpoint + "]";
    }

    /** Lettuce opens a connection to a client's own address only by blocking, so a short-lived thread does it. */
    private static <T> CompletionStage<T> elsewhere(Supplier<T> open) {
        return CompletableFuture.supplyAsync(open, task -> {
            Thread thread = new Thread(task, "holdfast-lettuce-connect");
            thread.setDaemon(true);
            thread.start();
        });
    }

    private static void closeQuietly(@Nullable StatefulRedisConnection<?, ?> connection) {
        if (connection != null) {
            awaitBriefly(connection.closeAsync());
        }
    }

    private static void awaitBriefly(Future<?> end) {
        try {
            end.get(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // Called from one of the client's own threads, or a socket that does not close: it ends without us.
        }
    }
}
