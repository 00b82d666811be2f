// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.holdfast.spi.Aside;
import io.holdfast.spi.Lookout;
import io.holdfast.spi.MonotonicClock;
import io.lettuce.core.resource.DefaultEventLoopGroupProvider;
import io.lettuce.core.resource.Transports;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.EventExecutorGroup;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One I/O thread for a client, in a {@link SharedEventLoop}; or one of Lettuce's, where a native transport is on the class path. */
final class SharedLoops extends DefaultEventLoopGroupProvider {
    private final MonotonicClock clock;
    private final Duration moment;
    private final Lookout replies;
    private final Lookout words;
    /** Null before the first connection, and for good with a native transport, or where nobody is to look. */
    private volatile @Nullable SharedEventLoop loop;
    /** When somebody last listened for word. */
    private volatile long listenedAt;

    /** @param moment how long a caller looks for what it waits for; zero for never */
    SharedLoops(MonotonicClock clock, Duration moment) {
        super(1);
        this.clock = clock;
        this.moment = moment;
        replies = new Replies(clock, moment);
        words = new Lookout(clock, moment);
        listenedAt = clock.nanoTime() - Aside.NANOS;
        words.begin(); // word is always under way, for all we know
    }

    @Override
    protected <T extends EventLoopGroup> EventExecutorGroup doCreateEventLoopGroup(
            Class<T> type, int threads, io.lettuce.core.resource.ThreadFactoryProvider factories) {
        if (moment.isZero() || !Transports.socketChannelClass().equals(NioSocketChannel.class)) {
            return super.doCreateEventLoopGroup(type, threads, factories);
        }
        Group group = new Group(factories.getThreadFactory("lettuce-nioEventLoop"));
        loop = (SharedEventLoop) group.next();
        return group;
    }

    /** For a thread that waits for the reply to its command. */
    Lookout replies() {
        return replies;
    }

    /** As {@link io.holdfast.spi.Subscription#listenFor}. */
    void listenFor(BooleanSupplier heard) {
        SharedEventLoop shared = loop;
        if (shared != null) {
            shared.aside().listenFor(heard, words, () -> {
                listenedAt = clock.nanoTime();
                shared.read();
            });
        }
    }

    /** As {@link io.holdfast.spi.Subscription#glance}; not true only because callers read their replies. */
    boolean glance() {
        SharedEventLoop shared = loop;
        if (shared == null || !isLeftToCallers()) {
            return false;
        }
        if (Aside.mayRead()) {
            shared.read();
        }
        return clock.nanoTime() - listenedAt < Aside.NANOS;
    }

    /** Whether the own thread rests. */
    boolean isLeftToCallers() {
        SharedEventLoop shared = loop;
        return shared != null && shared.aside().isResting();
    }

    /** Reads it by itself where it can. */
    private final class Replies extends Lookout {
        Replies(MonotonicClock clock, Duration moment) {
            super(clock, moment);
        }

        @Override
        public <X extends Exception> void lookFor(Sight<X> reply) throws X {
            SharedEventLoop shared = loop;
            if (shared == null) {
                super.lookFor(reply);
            } else if (!Aside.mayRead()) {
                shared.aside().callBack();
                super.lookFor(reply);
            } else {
                try {
                    super.lookFor(() -> isThere(reply, shared));
                } finally {
                    shared.looked(reply.isThere());
                }
            }
        }

        private <X extends Exception> boolean isThere(Sight<X> reply, SharedEventLoop shared) throws X {
            shared.read();
            boolean there = reply.isThere();
            if (!there) {
                shared.aside().extend();
            }
            return there;
        }
    }

    private final class Group extends MultiThreadIoEventLoopGroup {
        Group(ThreadFactory threads) {
            super(1, threads, NioIoHandler.newFactory());
        }

        @Override
        protected IoEventLoop newChild(Executor thread, IoHandlerFactory io, Object... args) {
            return new SharedEventLoop(this, thread, io, clock);
        }
    }
}
