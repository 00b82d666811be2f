// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.holdfast.spi.Aside;
import io.holdfast.spi.MonotonicClock;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.SingleThreadIoEventLoop;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Netty's loop for the connections of one client, run by a thread of its own or, while that one steps aside, by callers: a caller
 * that waits for a reply writes its command and reads the reply by itself, and no other thread has to wake up for either.
 *
 * <p><b>One at a time.</b> Whoever runs the loop has the lock, and counts as the loop's thread for as long; everything that belongs
 * to the loop is handed on with that lock. The own thread keeps it but for its rests, so a caller that only tries gets it then. No
 * caller ever waits for it.
 *
 * <p><b>Nothing is left behind.</b> What other threads want done calls the own thread back, as does a caller that looked in vain;
 * and it comes back by itself after half a millisecond in which no caller has read. That long a reply may lie there whose caller
 * had always waited for replies, and for this one does not.
 *
 * <p><b>The end.</b> Once the loop is being shut down the own thread rests no more, and keeps the lock for good.
 */
final class SharedEventLoop extends SingleThreadIoEventLoop {
    private static final Logger LOG = LoggerFactory.getLogger(LettuceConnector.class);
    /** What others want done takes a caller about that long at most; the own thread does the rest. */
    private static final long LONGEST_NANOS = 100_000;

    private static final IoHandlerContext AT_ONCE = new IoHandlerContext() {
        @Override
        public boolean canBlock() {
            return false;
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
            return 0;
        }

        @Override
        public long deadlineNanos() {
            return -1;
        }
    };

    private final ReentrantLock running = new ReentrantLock();
    private final Aside aside;
    /** The caller that runs the loop. */
    private volatile @Nullable Thread caller;
    /** Who waited for a reply last and read it: that one will do so again. */
    private volatile @Nullable Thread lastReader;
    /** Whether the own thread has begun: before, nobody runs the loop. Guarded by running. */
    private boolean begun;

    SharedEventLoop(IoEventLoopGroup parent, Executor thread, IoHandlerFactory io, MonotonicClock clock) {
        super(parent, thread, loop -> new Shared((SharedEventLoop) loop, io.newHandler(loop)));
        aside = new Aside(clock);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // that very thread
    public boolean inEventLoop(Thread thread) {
        Thread other = caller;
        return other == null ? super.inEventLoop(thread) : other == thread;
    }

    Aside aside() {
        return aside;
    }

    /** Runs that soon: here and now, if this thread is likely to read the reply, too. */
    @SuppressWarnings("ReferenceEquality") // that very thread
    void send(Runnable task) {
        if (lastReader != Thread.currentThread() || !drive(() -> execute(task))) {
            execute(task);
        }
    }

    /** Takes in what has come, unless another thread is at it. Never waits. */
    void read() {
        drive(() -> ((Shared) ioHandler()).io.run(AT_ONCE));
    }

    /** The calling thread has looked for a reply; if it is not there yet, it will wait until it is told. */
    void looked(boolean seen) {
        if (seen) {
            lastReader = Thread.currentThread();
        } else {
            aside.callBack();
        }
    }

    /** False when another thread has the loop, which does not run the task then. What goes wrong in it is not the caller's fault. */
    private boolean drive(Runnable task) {
        if (running.isHeldByCurrentThread() || !running.tryLock()) { // a call from within must not begin another round
            return false;
        }
        try {
            if (!begun || isShuttingDown()) {
                return false;
            }
            caller = Thread.currentThread();
            task.run();
            runAllTasks(LONGEST_NANOS);
            if (hasTasks()) {
                aside.callBack();
            }
        } catch (RuntimeException | Error e) {
            LOG.error("Holdfast met an error while it read for others", e);
            aside.callBack();
        } finally {
            caller = null;
            running.unlock();
        }
        return true;
    }

    /** For the own thread, which has the lock but while it rests. */
    private boolean rest() {
        if (isShuttingDown() || !aside.isWanted()) {
            return false;
        }
        running.unlock();
        try {
            return aside.rest();
        } finally {
            running.lock();
        }
    }

    /** The loop's sockets. */
    private static final class Shared implements IoHandler {
        private final SharedEventLoop loop;
        private final IoHandler io;
        /** Whether the own thread waits for sockets, or is about to. */
        private volatile boolean selecting;

        Shared(SharedEventLoop loop, IoHandler io) {
            this.loop = loop;
            this.io = io;
        }

        @Override
        public void initialize() {
            loop.running.lock();
            loop.begun = true;
            io.initialize();
        }

        @Override
        public int run(IoHandlerContext context) {
            if (context.canBlock() && loop.rest()) {
                return 0;
            }
            loop.lastReader = null; // nobody reads while the own thread does, and a thread that ended is not to be kept
            selecting = true;
            try {
                return io.run(context); // which looks once more for what is to be done, before it waits
            } finally {
                selecting = false;
            }
        }

        @Override
        public void wakeup() {
            if (!loop.inEventLoop()) {
                loop.aside.callBack();
            }
            if (selecting) { // else nobody would take the wake-up away, and each look of a caller would send it anew
                io.wakeup();
            }
        }

        @Override
        public void prepareToDestroy() {
            io.prepareToDestroy();
        }

        @Override
        public void destroy() {
            io.destroy();
        }

        @Override
        public IoRegistration register(IoHandle handle) throws Exception {
            return io.register(handle);
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> type) {
            return io.isCompatible(type);
        }
    }
}
