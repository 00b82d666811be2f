// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.RedisCommand;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.Pool;

/**
 * Takes a connection from a pool, writes, reads, gives it back. The border between "not sent" and "no reply" is the
 * moment the pool has handed out the connection: until then nothing of the command has left, from then on it may have.
 */
final class PoolExchange<T extends Closeable> implements Exchange {
    private final Pool<T> pool;
    private final Function<T, Connection> connectionOf;
    private final Failures failures;
    private final boolean owned;
    private final AtomicInteger generation = new AtomicInteger();
    private volatile boolean closed;

    PoolExchange(Pool<T> pool, Function<T, Connection> connectionOf, Failures failures, boolean owned) {
        this.pool = pool;
        this.connectionOf = connectionOf;
        this.failures = failures;
        this.owned = owned;
    }

    @Override
    public @Nullable Object call(RedisCommand command) {
        T resource = borrow(command);
        try {
            Connection connection = connectionOf.apply(resource);
            connection.sendCommand(arguments(command));
            return Replies.convert(connection.getOne());
        } catch (JedisDataException e) {
            throw Failures.errorReply(e);
        } catch (JedisException e) {
            dropSiblings(e);
            throw failures.noReply(command, e);
        } finally {
            giveBack(resource);
        }
    }

    T borrow(RedisCommand command) {
        if (closed) {
            throw failures.closed(command);
        }
        try {
            return pool.getResource();
        } catch (JedisException e) {
            throw failures.notConnected(command, e);
        }
    }

    static CommandArguments arguments(RedisCommand command) {
        CommandArguments arguments = new CommandArguments(Verb.of(command.name()));
        for (int i = 1; i < command.words().size(); i++) {
            arguments.add(command.words().get(i));
        }
        return arguments;
    }

    /**
     * When one connection turns out dead, those that lie idle died with it (the server was restarted); each of them
     * would cost one more command its reply. A time-out says nothing about the others.
     */
    void dropSiblings(JedisException e) {
        if (owned && !(e.getCause() instanceof SocketTimeoutException)) {
            generation.incrementAndGet();
            pool.clear();
        }
    }

    /** Moves on when connections died: those kept from before are not to be trusted. */
    int generation() {
        return generation.get();
    }

    /** Whether another connection may be opened, or lies idle. */
    boolean hasRoom() {
        return pool.getNumActive() < maxTotal();
    }

    int maxTotal() {
        return pool.getMaxTotal();
    }

    void giveBack(T resource) {
        try {
            resource.close();
        } catch (IOException | RuntimeException e) {
            // The reply is what counts; a connection that could not be given back is the pool's loss.
            failures.log(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        if (owned) {
            pool.close();
        }
    }
}
