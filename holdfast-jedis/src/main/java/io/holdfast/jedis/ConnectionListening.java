// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.exceptions.JedisException;

/** Listens on a connection made for it, or on one borrowed from the application's pool for as long as the subscription lasts. */
final class ConnectionListening<T extends Closeable> implements Listening {
    private final Function<JedisPubSub, T> source;
    private final Function<T, Connection> connectionOf;
    private final Failures failures;

    /** One that callers can't read. */
    ConnectionListening(Supplier<T> source, Function<T, Connection> connectionOf, Failures failures) {
        this(pubSub -> source.get(), connectionOf, failures);
    }

    private ConnectionListening(
            Function<JedisPubSub, T> source, Function<T, Connection> connectionOf, Failures failures) {
        this.source = source;
        this.connectionOf = connectionOf;
        this.failures = failures;
    }

    /** One that callers may read. */
    static Listening shared(Function<JedisPubSub, ListeningConnection> source, Failures failures) {
        return new ConnectionListening<>(source, connection -> connection, failures);
    }

    @Override
    public void listen(JedisPubSub pubSub, String channel, Consumer<Reading> open) {
        open.accept(Thread.currentThread()::interrupt); // while it waits for the pool
        try (T resource = source.apply(pubSub)) {
            Connection connection = connectionOf.apply(resource);
            open.accept(connection instanceof Reading shared ? shared : () -> cut(connection));
            try {
                pubSub.proceed(connection, channel); // takes the read timeout off: an idle channel is a healthy one
            } finally {
                connection.setBroken(); // may still be subscribed, and must not go back to work in the pool
            }
        } catch (JedisException e) {
            throw failures.notListening(channel, e);
        } catch (IOException e) {
            failures.log(e);
        }
    }

    /** Without a last write, which a half-open connection could hold up. */
    private void cut(Connection connection) {
        try {
            connection.forceDisconnect();
        } catch (IOException e) {
            failures.log(e);
        }
    }
}
