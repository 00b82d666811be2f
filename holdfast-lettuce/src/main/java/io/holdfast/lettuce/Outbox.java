// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends together what threads want to send at the same time. Lettuce writes each command to the socket by itself; here the one
 * thread that does a client's I/O takes what has come while it was busy, and writes that at once. A command that comes alone costs
 * what it always did: that thread has to be called either way.
 *
 * <p>Not all at once, but {@value #MOST} at a time: Redis answers what it read in one go all together, so server and client would
 * take turns at being idle. Commands keep their order. Thread-safe; never blocks.
 */
final class Outbox implements NettyCustomizer {
    static final int MOST = 8;

    private final Queue<Letter> letters = new ConcurrentLinkedQueue<>();
    /** Whether somebody is about to send them. */
    private final AtomicBoolean due = new AtomicBoolean();
    /** The client's only I/O thread, which is there before a connection is. */
    private volatile Executor sender = Runnable::run;

    private record Letter(StatefulRedisConnection<byte[], byte[]> to, WireCommand wire) {}

    @Override
    public void afterChannelInitialized(Channel channel) {
        sendBy(channel.eventLoop() instanceof SharedEventLoop shared ? shared::send : channel.eventLoop());
    }

    void sendBy(Executor thread) {
        sender = thread;
    }

    void write(StatefulRedisConnection<byte[], byte[]> to, WireCommand wire) {
        letters.add(new Letter(to, wire));
        sendSoon();
    }

    private void sendSoon() {
        if (due.compareAndSet(false, true)) {
            try {
                sender.execute(this::send);
            } catch (RejectedExecutionException e) { // the client was shut down: the connection will say so
                send();
            }
        }
    }

    private void send() {
        due.set(false); // first: whoever comes too late to be taken calls again
        List<WireCommand> batch = new ArrayList<>(MOST);
        StatefulRedisConnection<byte[], byte[]> to = null;
        for (int taken = 0; taken < MOST; taken++) {
            Letter letter = letters.poll();
            if (letter == null) {
                break;
            }
            if (to != null && !to.equals(letter.to)) { // there is a new connection
                Link.write(to, batch);
                batch = new ArrayList<>(MOST);
            }
            to = letter.to;
            batch.add(letter.wire);
        }
        if (to != null) {
            Link.write(to, batch);
        }
        if (!letters.isEmpty()) {
            sendSoon();
        }
    }
}
