// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisReplyException;
import io.holdfast.spi.Subscriber;
import io.holdfast.spi.Subscription;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.PubSubOutput;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One subscription, on a connection of its own; netty threads call back. An application's client reconnects by itself and
 * subscribes again without a word, and the messages lost meanwhile would never be missed: the first disconnect is the end.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the callbacks do not throw, and nobody waits for a close
final class LettuceSubscription implements Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(LettuceConnector.class);

    private final String channel;
    private final Subscriber subscriber;
    private final @Nullable SharedLoops callers;
    private final Consumer<LettuceSubscription> whenGone;
    /** Whether the subscriber has heard the last of it. */
    private final AtomicBoolean over = new AtomicBoolean();

    private final CompletableFuture<@Nullable Void> gone = new CompletableFuture<>();

    private volatile @Nullable StatefulRedisPubSubConnection<String, String> connection;
    /** Whether a connection is being opened: nobody can stop that, and it is closed when it comes. */
    private volatile boolean underWay;

    /** @param callers how callers may read it; null if they can't */
    LettuceSubscription(
            String channel,
            Subscriber subscriber,
            @Nullable SharedLoops callers,
            Consumer<LettuceSubscription> whenGone) {
        this.channel = channel;
        this.subscriber = subscriber;
        this.callers = callers;
        this.whenGone = whenGone;
    }

    void start(Supplier<CompletionStage<StatefulRedisPubSubConnection<String, String>>> opener) {
        CompletionStage<StatefulRedisPubSubConnection<String, String>> opening;
        underWay = true;
        try {
            opening = opener.get();
        } catch (RuntimeException e) {
            opening = CompletableFuture.failedFuture(e); // the application has shut its client down
        }
        opening.whenComplete((opened, failure) -> {
            if (failure == null) {
                subscribe(opened);
            } else {
                underWay = false;
                end(failure);
                leave();
            }
        });
    }

    private void subscribe(StatefulRedisPubSubConnection<String, String> opened) {
        connection = opened;
        underWay = false;
        if (over.get()) {
            disconnect();
            return;
        }
        opened.addListener(new Messages());
        opened.addListener(new Disconnect());
        CommandArgs<String, String> to = new CommandArgs<>(StringCodec.UTF8).addKey(channel);
        dispatch(opened, new Command<>(CommandType.SUBSCRIBE, new PubSubOutput<>(StringCodec.UTF8), to))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        end(failure);
                    }
                });
    }

    @Override
    public CompletionStage<?> ping() {
        StatefulRedisPubSubConnection<String, String> current = connection;
        if (current == null || over.get()) {
            return CompletableFuture.failedFuture(cause(new IllegalStateException("not connected")));
        }
        CompletableFuture<@Nullable Void> pong = new CompletableFuture<>();
        dispatch(current, new Command<>(CommandType.PING, new StatusOutput<>(StringCodec.UTF8)))
                .whenComplete((answer, failure) -> {
                    if (failure == null) {
                        pong.complete(null);
                    } else {
                        pong.completeExceptionally(cause(failure));
                    }
                });
        return pong;
    }

    @Override
    public void listenFor(BooleanSupplier heard) {
        if (callers != null) {
            callers.listenFor(heard);
        }
    }

    @Override
    public boolean glance() {
        return callers != null && callers.glance();
    }

    /** The commands' own faces are not there on a {@link BareClient}. */
    private static <T> CompletableFuture<T> dispatch(
            StatefulRedisPubSubConnection<String, String> to, Command<String, String, T> command) {
        AsyncCommand<String, String, T> reply = new AsyncCommand<>(command);
        try {
            to.dispatch(reply);
        } catch (RuntimeException e) {
            reply.completeExceptionally(e); // the client was shut down
        }
        return reply;
    }

    @Override
    public void close() {
        if (over.compareAndSet(false, true)) {
            disconnect();
        }
    }

    /** Ends it for this reason; nothing happens when it is over already. */
    void end(Throwable failure) {
        if (over.compareAndSet(false, true)) {
            disconnect();
            shielded(() -> subscriber.ended(cause(failure)));
        }
    }

    /** Also what has lost its connection: Lettuce would reconnect it some day, or keep it till the client ends. */
    private void disconnect() {
        StatefulRedisPubSubConnection<String, String> current = connection;
        if (current instanceof RedisChannelHandler<?, ?> handler && !handler.isClosed()) {
            current.closeAsync().whenComplete((done, failure) -> leave());
        } else if (!underWay) {
            leave();
        }
    }

    private void leave() {
        whenGone.accept(this);
        gone.complete(null);
    }

    /** Completes when it is over and its connection, if it has or yet gets one, is closed. */
    CompletableFuture<?> gone() {
        return gone;
    }

    /** One bad message never ends a subscription. */
    private void shielded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            LOG.error("The subscriber to {} failed; the subscription goes on", channel, e);
        }
    }

    private RuntimeException cause(Throwable failure) {
        Throwable inner = failure;
        while (true) {
            if (inner instanceof RedisCommandExecutionException) {
                return new RedisReplyException(String.valueOf(inner.getMessage()));
            }
            if (inner.getCause() == null) {
                break;
            }
            inner = inner.getCause();
        }
        return RedisConnectionException.noReply(
                "the subscription to " + channel + " is over (" + inner.getMessage() + ")", failure);
    }

    private final class Messages extends RedisPubSubAdapter<String, String> {
        @Override
        public void subscribed(String to, long count) {
            if (!over.get()) {
                shielded(subscriber::subscribed);
            }
        }

        @Override
        public void message(String from, String message) {
            if (!over.get()) {
                shielded(() -> subscriber.message(message));
            }
        }
    }

    private final class Disconnect implements RedisConnectionStateListener {
        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
            end(new IllegalStateException("the connection broke"));
        }
    }
}
