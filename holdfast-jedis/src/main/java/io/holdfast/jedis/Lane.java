// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.RedisCommand;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisException;

/** A place for one connection that is kept between commands. Used by one thread at a time. */
final class Lane {
    /** Unused for longer than this it may have died unnoticed (idle time-out of the server, a firewall), and is tried first. */
    private static final long TRUSTED_NANOS = 5_000_000_000L;

    private final PoolExchange<Connection> pool;
    private final MonotonicClock clock;
    private @Nullable Connection connection;
    private long usedAt;
    private int generation;
    /** Sent on it, and not answered yet. */
    private List<Call> sentAhead = List.of();

    Lane(PoolExchange<Connection> pool, MonotonicClock clock) {
        this.pool = pool;
        this.clock = clock;
    }

    /** The connection kept here, or a new one from the pool. */
    Connection open(RedisCommand command) {
        Connection kept = connection;
        if (kept != null && isCurrent() && isAlive(kept)) {
            return kept;
        }
        clear();
        generation = pool.generation();
        Connection fresh = pool.borrow(command);
        connection = fresh;
        return fresh;
    }

    /** Whether the connection kept here is none of those that were given up together. */
    boolean isCurrent() {
        return generation == pool.generation();
    }

    void sentAhead(List<Call> calls) {
        sentAhead = calls;
    }

    List<Call> takeSentAhead() {
        List<Call> calls = sentAhead;
        sentAhead = List.of();
        return calls;
    }

    /** The connection on which something was sent ahead. */
    Connection inUse() {
        return Objects.requireNonNull(connection);
    }

    /** After use: whether the connection can be used again. */
    void used(boolean intact) {
        usedAt = clock.nanoTime();
        if (!intact && connection != null) {
            connection.setBroken();
            clear();
        }
    }

    /** Gives the connection back to the pool. */
    void clear() {
        Connection kept = connection;
        connection = null;
        if (kept != null) {
            pool.giveBack(kept);
        }
    }

    private boolean isAlive(Connection kept) {
        if (clock.nanoTime() - usedAt < TRUSTED_NANOS) {
            return true;
        }
        try {
            return kept.ping();
        } catch (JedisException e) {
            kept.setBroken();
            return false;
        }
    }
}
