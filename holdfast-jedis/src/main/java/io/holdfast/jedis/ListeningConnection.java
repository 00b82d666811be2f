// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.Aside;
import io.holdfast.spi.Lookout;
import io.holdfast.spi.MonotonicClock;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisPubSub;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.util.SafeEncoder;

/**
 * The connection of a subscription, read by the subscription's own thread or by a caller that waits for word. Two threads woken
 * one after the other for one message are one too many. So the own thread
 * steps aside while callers read, and comes back when one of them has listened in vain, or none has for half a millisecond.
 *
 * <p><b>One at a time.</b> Whoever reads has the lock from before the first byte until the message has been told. A caller never
 * waits for it, and reads only what is there as a whole: half a message is left to the own thread.
 *
 * <p><b>Nothing is left behind.</b> What is no message, and what breaks, is for the own thread, which is called back for it. Of
 * several messages that came at once each counts as being there.
 */
final class ListeningConnection extends Connection implements Reading {
    private static final byte[] MESSAGE = "message".getBytes(StandardCharsets.US_ASCII);
    /** Read in one glance. Whoever publishes faster than that is not to hold up a caller. */
    private static final int MOST_AT_A_GLANCE = 16;

    private final Sockets sockets;
    private final Lookout lookout;
    private final JedisPubSub pubSub;
    private final Aside aside;

    /** What callers have read that is no message. */
    private final Queue<Object> forOwnThread = new ConcurrentLinkedQueue<>();
    /** What a caller met: the own thread is to find out. */
    private volatile @Nullable RuntimeException failure;

    private final ReentrantLock reading = new ReentrantLock();
    // Guarded by reading.
    private @Nullable ReplyStream input;

    ListeningConnection(
            Sockets sockets, JedisClientConfig config, Lookout lookout, MonotonicClock clock, JedisPubSub pubSub) {
        super(sockets, config);
        this.sockets = sockets;
        this.lookout = lookout;
        this.pubSub = pubSub;
        this.aside = new Aside(clock);
        lookout.begin(); // word is always under way, for all we know
    }

    /** For the own thread: the next that is no message. Messages have been told by then. */
    @Override
    public Object getUnflushedObject() {
        Object reply = null;
        while (reply == null) {
            reply = aside.rest() ? left() : await();
        }
        return reply;
    }

    /** What callers have left for the own thread; null for nothing. */
    private @Nullable Object left() {
        RuntimeException met = failure;
        Object reply = forOwnThread.poll();
        if (reply == null && met != null) {
            throw met;
        }
        return reply;
    }

    private @Nullable Object await() {
        reading.lock();
        try {
            Object reply = left(); // only here is it certain that no caller leaves more
            return reply != null ? reply : read(input());
        } catch (IOException e) {
            throw new JedisConnectionException(e);
        } finally {
            reading.unlock();
        }
    }

    @Override
    public void listenFor(BooleanSupplier heard) {
        aside.listenFor(heard, lookout, this::readOneIfThere);
    }

    @Override
    public boolean glance() {
        boolean left = aside.isResting();
        for (int i = 0; left && Aside.mayRead() && i < MOST_AT_A_GLANCE && readOneIfThere(); i++) {
            // the next one
        }
        return left;
    }

    private boolean readOneIfThere() {
        if (!reading.tryLock()) { // the own thread reads, which it may for long, or another caller
            return false;
        }
        try {
            ReplyStream open = input;
            return open != null && failure == null && readOne(open);
        } catch (RuntimeException e) {
            failure = e;
        } catch (IOException | Error e) {
            failure = new JedisConnectionException(e);
        } finally {
            reading.unlock();
        }
        aside.callBack();
        return false;
    }

    /** Guarded by reading. */
    private boolean readOne(ReplyStream open) throws IOException {
        boolean whole = open.hasWhole();
        Object reply = whole ? read(open) : null;
        if (reply != null) {
            forOwnThread.add(reply);
        }
        if (reply != null || open.hasPart()) {
            aside.callBack();
        }
        return whole;
    }

    /** Guarded by reading; null for a message, which has been told. */
    @SuppressWarnings("deprecation") // what takes its place in Jedis 8 is not there in 7
    private @Nullable Object read(ReplyStream from) {
        Object reply = Protocol.read(from);
        if (reply instanceof List<?> parts
                && parts.size() == 3
                && parts.get(0) instanceof byte[] kind
                && Arrays.equals(kind, MESSAGE)
                && parts.get(1) instanceof byte[] channel
                && parts.get(2) instanceof byte[] text) {
            pubSub.onMessage(SafeEncoder.encode(channel), SafeEncoder.encode(text));
            return null;
        }
        return reply;
    }

    /** Guarded by reading. Not Jedis's own, which does not tell what it has taken in; that one has read the log-in only. */
    private ReplyStream input() throws IOException {
        ReplyStream known = input;
        if (known == null) {
            Socket open = Objects.requireNonNull(sockets.last(), "subscribed, so connected");
            known = new ReplyStream(open.getInputStream());
            input = known;
        }
        return known;
    }

    /** By the own thread, before it tells the end: what a caller tells comes before that, or not at all. */
    @Override
    public void close() {
        try {
            super.close(); // which may fail on what was left to write
        } finally {
            reading.lock();
            try {
                failure = new JedisConnectionException("closed");
            } finally {
                reading.unlock();
            }
        }
    }

    /** Without a last write, which a half-open connection could hold up. */
    @Override
    public void cut() {
        try {
            forceDisconnect();
        } catch (IOException e) {
            setBroken(); // closed all the same
        }
    }
}
