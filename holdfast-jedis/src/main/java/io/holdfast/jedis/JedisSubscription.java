// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.Subscriber;
import io.holdfast.spi.Subscription;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.JedisPubSub;

/**
 * One subscription. Jedis reads by blocking, so a daemon thread does that; and it writes by blocking, which on a half-open
 * connection may last, so pings are written on a second one, and never more than one of them waits its turn.
 *
 * <p>A ping is one more {@code SUBSCRIBE} to the same channel, which the server only confirms. Jedis expects the answer to a
 * {@code PING} a moment after it was sent: under RESP3 a quick answer is one it does not expect, and ends the subscription.
 *
 * <p>The end always comes from the reading thread: {@link #close()} breaks its connection and lets it find out. A connection
 * that can't be broken is unsubscribed, by the very last thing written to it: it goes back to the application's pool, where a
 * stray reply would be taken for the reply to somebody's command.
 */
final class JedisSubscription implements Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(JedisConnector.class);
    private static final int TRIES_TO_CUT = 50;
    private static final long MILLIS_BETWEEN_TRIES = 100;

    private final Listening listening;
    private final String channel;
    private final Subscriber subscriber;
    private final Listener listener = new Listener();
    private final Thread reader = daemon(this::read, "holdfast-jedis-subscription");
    private final ThreadPoolExecutor writer = new ThreadPoolExecutor(
            1, 1, 5, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), task -> daemon(task, "holdfast-jedis-ping"));
    private final Queue<CompletableFuture<@Nullable Void>> pings = new ConcurrentLinkedQueue<>();
    /** Whether the subscriber has heard the last of it. */
    private final AtomicBoolean over = new AtomicBoolean();
    /** Whether the connection is being given up: nothing may be written any more. */
    private final AtomicBoolean leaving = new AtomicBoolean();

    private final AtomicBoolean unsubscribing = new AtomicBoolean();
    private final ReentrantLock writing = new ReentrantLock();

    private volatile Consumer<JedisSubscription> whenGone = gone -> {};
    private volatile @Nullable Reading reading;
    private volatile boolean subscribed;
    /** The subscriber has been told that it begins: from now on callers may hear more. */
    private volatile boolean begun;

    JedisSubscription(Listening listening, String channel, Subscriber subscriber) {
        this.listening = listening;
        this.channel = channel;
        this.subscriber = subscriber;
        writer.allowCoreThreadTimeOut(true);
    }

    /** Begins; that is called once its thread is about to end. */
    void start(Consumer<JedisSubscription> gone) {
        whenGone = gone;
        reader.start();
    }

    private void read() {
        RuntimeException cause;
        try {
            listening.listen(listener, channel, open -> reading = open);
            cause = broken("cancelled", null);
        } catch (RuntimeException e) {
            cause = e;
        }
        leaving.set(true);
        writer.shutdown();
        tearDown();
        whenGone.accept(this);
        for (CompletableFuture<@Nullable Void> ping = pings.poll(); ping != null; ping = pings.poll()) {
            ping.completeExceptionally(cause);
        }
        RuntimeException reason = cause;
        if (over.compareAndSet(false, true)) {
            shielded(() -> subscriber.ended(reason));
        }
    }

    /** Once more: Jedis opens a connection anew when it has to write a ping and finds it closed. */
    private void tearDown() {
        writing.lock();
        try {
            Reading open = reading;
            if (open != null) {
                open.cut();
            }
        } finally {
            writing.unlock();
        }
        Thread.interrupted(); // by cutting it off, perhaps; not meant for the subscriber
    }

    @Override
    public CompletionStage<?> ping() {
        CompletableFuture<@Nullable Void> pong = new CompletableFuture<>();
        try {
            writer.execute(() -> writePing(pong));
        } catch (RejectedExecutionException e) {
            pong.completeExceptionally(broken("closed, or the pings before this one are still being written", e));
        }
        return pong;
    }

    @SuppressWarnings("CollectionUndefinedEquality") // that very one
    private void writePing(CompletableFuture<@Nullable Void> pong) {
        writing.lock();
        try {
            if (!subscribed || leaving.get()) {
                throw new IllegalStateException("not subscribed");
            }
            pings.add(pong); // answers come in the order of the questions
            listener.subscribe(channel);
        } catch (RuntimeException e) {
            pings.remove(pong);
            pong.completeExceptionally(broken("no ping could be written", e));
        } finally {
            writing.unlock();
        }
    }

    @Override
    public void listenFor(BooleanSupplier heard) {
        Reading open = reading;
        if (open != null && begun) {
            open.listenFor(heard);
        }
    }

    @Override
    public boolean glance() {
        Reading open = reading;
        return open != null && begun && open.glance();
    }

    @Override
    public void close() {
        if (over.compareAndSet(false, true)) {
            leave();
        }
    }

    /** Ends it as a broken connection does, the subscriber being told unless it has closed it. */
    void leave() {
        if (leaving.compareAndSet(false, true)) {
            daemon(this::cutOff, "holdfast-jedis-close").start();
        }
    }

    /**
     * Until it works: the reader may be about to connect, or to subscribe, and Jedis opens a connection anew that it finds
     * closed then.
     */
    private void cutOff() {
        for (int i = 0; i < TRIES_TO_CUT && reader.isAlive(); i++) {
            try {
                Reading open = reading;
                if (open == null) {
                    unsubscribeOnce();
                } else {
                    open.cut();
                }
                reader.join(MILLIS_BETWEEN_TRIES);
            } catch (RuntimeException | InterruptedException e) {
                LOG.debug("could not cut off the subscription to {} yet", channel, e);
            }
        }
    }

    private void unsubscribeOnce() {
        if (subscribed && unsubscribing.compareAndSet(false, true)) {
            writing.lock();
            try {
                listener.unsubscribe();
            } finally {
                writing.unlock();
            }
        }
    }

    /** One bad message never ends a subscription. */
    private void shielded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            LOG.error("The subscriber to {} failed; the subscription goes on", channel, e);
        }
    }

    private RedisConnectionException broken(String why, @Nullable Throwable cause) {
        return RedisConnectionException.noReply("the subscription to " + channel + " is over: " + why, cause);
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private final class Listener extends JedisPubSub {
        @Override
        public void onSubscribe(String to, int count) {
            CompletableFuture<@Nullable Void> ping = pings.poll();
            boolean first = !subscribed;
            subscribed = true;
            if (ping != null) {
                shielded(() -> ping.complete(null));
            }
            if (leaving.get()) {
                shielded(JedisSubscription.this::unsubscribeOnce);
            } else if (first && !over.get()) {
                shielded(subscriber::subscribed);
                begun = true;
            }
        }

        /**
         * Waits until the last write has returned, not only arrived: with the connection back in the pool, Jedis would find
         * the rest of it in the buffer, and send it a second time with somebody's command.
         */
        @Override
        @SuppressWarnings("LockNotBeforeTry") // only to meet whoever has it
        public void onUnsubscribe(@Nullable String from, int count) {
            writing.lock();
            writing.unlock();
        }

        @Override
        public void onMessage(String from, String message) {
            if (!over.get()) {
                shielded(() -> subscriber.message(message));
            }
        }
    }
}
