// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.Subscriber;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a bad network does to subscriptions: loses messages, delivers them late, leaves a connection half-open, breaks or
 * refuses it. Part of a {@link TamperingConnector}. Thread-safe.
 */
public final class TamperingSubscriptions {
    private final RedisConnector inner;
    private final List<Tampered> opened = new CopyOnWriteArrayList<>();
    private final AtomicInteger toDrop = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile Duration delay = Duration.ZERO;
    private volatile CompletableFuture<@Nullable Void> gate = CompletableFuture.completedFuture(null);
    private volatile boolean pongsLost;
    private volatile @Nullable RuntimeException refusal;

    TamperingSubscriptions(RedisConnector inner) {
        this.inner = inner;
    }

    /** How many were asked for so far, refused ones included. */
    public int opened() {
        return opened.size();
    }

    /** How many were refused so far, as {@link #refuse} asks for; their subscribers have been told. */
    public int refused() {
        return refused.get();
    }

    /** How many messages were dropped on purpose. */
    public int dropped() {
        return dropped.get();
    }

    /** Loses all messages from now on. */
    public void dropMessages() {
        dropMessages(Integer.MAX_VALUE);
    }

    /** Loses the next so many messages. */
    public void dropMessages(int next) {
        toDrop.set(next);
    }

    /** Every message from now on arrives that much later, in order still. */
    public void delayMessages(Duration by) {
        delay = by;
    }

    /** Messages are under way from now on, until {@link #letGo} or {@link #calm}; then they arrive, in order. */
    public void holdMessages() {
        gate = new CompletableFuture<>();
    }

    /** Delivers what was held, and what comes from now on. */
    public void letGo() {
        gate.complete(null);
    }

    /** Answers to pings get lost from now on, on every subscription. */
    public void swallowPongs() {
        pongsLost = true;
    }

    /** From what is open now nothing comes any more: no message, no answer, no end. New ones are not affected. */
    public void halfOpen() {
        opened.forEach(each -> each.silent = true);
    }

    /** Messages on what is open now get lost, though it answers pings. New ones are not affected. */
    public void deafen() {
        opened.forEach(each -> each.deaf = true);
    }

    /** What is open now breaks. */
    public void breakAll() {
        opened.forEach(each -> each.end(RedisConnectionException.noReply("broken on purpose", null)));
    }

    /** New ones end like this before they begin: as a server or proxy without pub/sub would have it. */
    public void refuse(RuntimeException with) {
        refusal = with;
    }

    /** From now on, nothing of the above; what is half-open or broken stays so. */
    public void calm() {
        toDrop.set(0);
        delay = Duration.ZERO;
        letGo();
        pongsLost = false;
        refusal = null;
    }

    Subscription subscribe(String channel, Subscriber subscriber) {
        Tampered tampered = new Tampered(subscriber);
        opened.add(tampered);
        RuntimeException with = refusal;
        if (with == null) {
            tampered.subscription = inner.subscribe(channel, tampered);
        } else {
            tampered.end(with);
            refused.incrementAndGet();
        }
        return tampered;
    }

    private boolean drops() {
        boolean drops = toDrop.getAndUpdate(n -> n > 0 && n < Integer.MAX_VALUE ? n - 1 : n) > 0;
        if (drops) {
            dropped.incrementAndGet();
        }
        return drops;
    }

    private final class Tampered implements Subscriber, Subscription {
        private final Subscriber subscriber;
        private final AtomicBoolean over = new AtomicBoolean();
        private volatile @Nullable Subscription subscription;
        private volatile boolean silent;
        private volatile boolean deaf;
        private CompletableFuture<@Nullable Void> lastDelivery = CompletableFuture.completedFuture(null);

        Tampered(Subscriber subscriber) {
            this.subscriber = subscriber;
        }

        @Override
        public void subscribed() {
            if (!silent && !over.get()) {
                subscriber.subscribed();
            }
        }

        @Override
        public void message(String text) {
            if (silent || deaf || over.get() || drops()) {
                return;
            }
            Duration by = delay;
            CompletableFuture<@Nullable Void> open = gate;
            if (by.isZero() && open.isDone() && lastDelivery.isDone()) {
                subscriber.message(text);
            } else {
                Executor later = CompletableFuture.delayedExecutor(by.toNanos(), TimeUnit.NANOSECONDS);
                CompletableFuture<@Nullable Void> due = CompletableFuture.runAsync(() -> {}, later);
                lastDelivery = lastDelivery
                        .thenCombine(due, (before, now) -> null)
                        .thenCombine(open, (before, now) -> null)
                        .thenRun(() -> {
                            if (!silent && !over.get()) {
                                subscriber.message(text);
                            }
                        })
                        .exceptionally(thrown -> null); // as a connector would
            }
        }

        @Override
        public void ended(RuntimeException cause) {
            if (!silent) {
                end(cause);
            }
        }

        void end(RuntimeException cause) {
            if (over.compareAndSet(false, true)) {
                closeInner();
                subscriber.ended(cause);
            }
        }

        @Override
        public CompletionStage<?> ping() {
            Subscription open = subscription;
            if (open == null || over.get()) {
                return CompletableFuture.failedFuture(RedisConnectionException.notSent("not subscribed", null));
            }
            CompletionStage<?> pong = open.ping();
            return silent || pongsLost ? new CompletableFuture<@Nullable Void>() : pong;
        }

        @Override
        public void listenFor(BooleanSupplier heard) {
            Subscription open = subscription;
            if (open != null) {
                open.listenFor(heard);
            }
        }

        @Override
        public boolean glance() {
            Subscription open = subscription;
            return open != null && open.glance();
        }

        @Override
        public void close() {
            over.set(true);
            closeInner();
        }

        private void closeInner() {
            Subscription open = subscription;
            if (open != null) {
                open.close();
            }
        }
    }
}
