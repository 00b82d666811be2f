// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.Lookout;
import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.RedisCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Few connections for many threads, in front of the connector's own pool. A thread that finds a lane free uses it; the others
 * queue up, and whoever has a lane sends along what is queued, in one write. That saves the server most of its work
 * under load, which is reading and writing sockets. Whoever has read its replies sends what is queued by then, before it tells
 * anybody, and leaves it to one of those to read theirs: the server works while threads wake up.
 *
 * <p><b>Liveness.</b> A call that could not be sent for a while, because a connection hangs, takes one from the pool instead.
 * No call waits longer than the time-out to be sent, nor longer than that for its reply, whatever becomes of the thread that
 * sends it.
 *
 * <p><b>Ambiguity.</b> What was handed to a connection that fails counts as sent, for each call of the batch.
 */
final class LaneExchange implements Exchange {
    static final int LANES = 4;
    private static final int BATCH = 16;
    private static final long PATIENCE_NANOS = Duration.ofMillis(5).toNanos();

    private final PoolExchange<Connection> pool;
    private final Failures failures;
    private final Lookout lookout;
    private final long timeoutNanos;
    private final AtomicReferenceArray<@Nullable Lane> free;
    private final Queue<Call> queue = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    LaneExchange(PoolExchange<Connection> pool, Failures failures, MonotonicClock clock, Lookout lookout) {
        this.pool = pool;
        this.failures = failures;
        this.lookout = lookout;
        this.timeoutNanos = failures.timeout().toNanos();
        this.free = new AtomicReferenceArray<>(Math.min(LANES, pool.maxTotal()));
        for (int i = 0; i < free.length(); i++) {
            free.set(i, new Lane(pool, clock));
        }
    }

    @Override
    public @Nullable Object call(RedisCommand command) {
        lookout.begin();
        try {
            return exchange(command);
        } finally {
            lookout.end();
        }
    }

    private @Nullable Object exchange(RedisCommand command) {
        Call call = new Call(command);
        Lane lane = take();
        if (lane != null) {
            call.join();
            return lead(call, lane);
        }
        queue.add(call);
        lane = take(); // whoever left a lane in this moment may not have seen the call
        if (lane != null) {
            passOn(lane);
        }
        return await(call);
    }

    private @Nullable Object await(Call call) {
        call.awaitTurn(PATIENCE_NANOS);
        if (pool.hasRoom() && call.leave()) {
            return pool.call(call.command);
        }
        call.awaitTurn(timeoutNanos);
        if (call.leave()) {
            throw Thread.currentThread().isInterrupted()
                    ? failures.interrupted(call.command, null)
                    : failures.allInUse(call.command, null);
        }
        boolean interrupted = call.awaitReply(timeoutNanos);
        try {
            Lane lane = call.lane();
            if (lane != null) {
                return lead(call, lane);
            }
            if (!call.hasOutcome()) {
                throw failures.unanswered(call.command);
            }
            return call.result();
        } finally {
            if (interrupted) { // not sooner: to a virtual thread that reads it would cost everybody the connection
                Thread.currentThread().interrupt();
            }
        }
    }

    private @Nullable Object lead(Call call, Lane lane) {
        List<Call> ahead = List.of();
        try {
            List<Call> batch = lane.takeSentAhead();
            if (batch.isEmpty()) {
                Connection connection =
                        lane.open(call.command); // first: without one the others are better off in the queue
                ahead = exchange(withQueued(List.of(call)), false, lane, connection);
            } else {
                ahead = exchange(batch, true, lane, lane.inUse());
            }
        } finally {
            passOn(lane, ahead);
        }
        return call.result();
    }

    private List<Call> withQueued(List<Call> first) {
        if (queue.isEmpty()) {
            return first;
        }
        List<Call> batch = new ArrayList<>(BATCH);
        batch.addAll(first);
        Call next;
        while (batch.size() < BATCH && (next = queue.poll()) != null) {
            if (next.join()) {
                batch.add(next);
            }
        }
        return batch;
    }

    /** Returns those whose commands it has sent, and left unanswered. */
    private List<Call> exchange(List<Call> batch, boolean sent, Lane lane, Connection connection) {
        List<Call> ahead = List.of();
        boolean intact = false;
        try {
            if (!sent) {
                send(batch, connection);
            }
            for (Call call : batch) {
                read(call, connection);
            }
            if (!closed && lane.isCurrent() && !queue.isEmpty()) {
                ahead = withQueued(List.of());
                send(ahead, connection);
                connection.getMany(0); // which flushes
            }
            intact = !closed || !ahead.isEmpty();
        } catch (RuntimeException e) {
            JedisException cause = e instanceof JedisException known ? known : new JedisException(e);
            pool.dropSiblings(cause);
            fail(batch, cause);
            fail(ahead, cause);
            ahead.forEach(Call::tell);
            ahead = List.of();
        } finally {
            lane.used(intact); // else replies of others may still come in on it
        }
        for (Call call : batch) {
            call.tell();
        }
        return ahead;
    }

    private static void send(List<Call> batch, Connection connection) {
        for (Call call : batch) {
            connection.sendCommand(PoolExchange.arguments(call.command));
        }
    }

    private void fail(List<Call> batch, JedisException e) {
        batch.stream()
                .filter(call -> !call.hasOutcome())
                .forEach(call -> call.failed(failures.noReply(call.command, e)));
    }

    private static void read(Call call, Connection connection) {
        try {
            call.answered(Replies.convert(connection.getOne()));
        } catch (JedisDataException e) {
            call.failed(Failures.errorReply(e));
        }
    }

    private @Nullable Lane take() {
        for (int i = 0; i < free.length(); i++) {
            Lane lane = free.get(i) == null ? null : free.getAndSet(i, null);
            if (lane != null) {
                return lane;
            }
        }
        return null;
    }

    /** To the first that waits for a reply on it. */
    private void passOn(Lane lane, List<Call> ahead) {
        lane.sentAhead(ahead);
        for (Call next : ahead) {
            if (next.read(lane)) {
                return;
            }
        }
        if (!ahead.isEmpty()) { // all of them have given up
            lane.takeSentAhead();
            lane.used(false);
        }
        passOn(lane);
    }

    /** To the first in the queue, or back to where the next caller finds it. */
    private void passOn(Lane lane) {
        Lane toPass = lane;
        while (toPass != null) {
            Call next = queue.poll();
            if (next == null) {
                leave(toPass);
                toPass = queue.isEmpty() ? null : take(); // somebody may have queued up before it was seen to be free
            } else if (next.lead(toPass)) {
                return;
            }
        }
    }

    private void leave(Lane lane) {
        if (closed) {
            lane.clear();
        }
        for (int i = 0; !free.compareAndSet(i, null, lane); i = (i + 1) % free.length()) {
            // one of the places is free: there are as many as lanes
        }
    }

    /** How many calls wait for a lane. */
    int queued() {
        return queue.size();
    }

    @Override
    public void close() {
        closed = true;
        for (Lane idle = take(); idle != null; idle = take()) {
            idle.clear();
        }
        pool.close();
    }
}
