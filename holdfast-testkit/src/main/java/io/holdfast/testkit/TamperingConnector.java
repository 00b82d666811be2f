// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.Subscriber;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A bad network between the engine and a connector: loses replies, keeps commands under way, delivers copies late. Say what
 * to do to which command with {@link #when}; the first rule that fits and has tries left acts, and a command without a rule
 * passes. Thread-safe. Closing it closes the connector inside.
 *
 * <pre>{@code
 * TamperingConnector network = new TamperingConnector(connector);
 * network.when(Verbs::isAcquire).once().holdBack();   // the engine sees a broken connection
 * …
 * network.letGo();                                    // now the server sees the command
 * }</pre>
 */
public final class TamperingConnector extends ForwardingConnector {
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final List<RedisCommand> asked = new CopyOnWriteArrayList<>();
    private final List<UnderWay> underWay = new CopyOnWriteArrayList<>();
    private final List<Runnable> lateReplies = new CopyOnWriteArrayList<>();
    private final TamperingSubscriptions subscriptions;

    /** Around a connector that works. */
    public TamperingConnector(RedisConnector inner) {
        super(inner);
        this.subscriptions = new TamperingSubscriptions(inner);
    }

    /** A rule for the commands that fit; it does nothing until one of its actions is named. */
    public Rule when(Predicate<RedisCommand> which) {
        return new Rule(which);
    }

    /** Everything the engine asked for so far that fits, whatever became of it: oldest first. */
    public List<RedisCommand> asked(Predicate<RedisCommand> which) {
        return asked.stream().filter(which).toList();
    }

    /** What to do to subscriptions. */
    public TamperingSubscriptions subscriptions() {
        return subscriptions;
    }

    /** Forgets the rules; what is under way stays so. */
    public void calm() {
        rules.clear();
        subscriptions.calm();
    }

    /** How many commands, or copies, have not reached the server yet. */
    public int underWay() {
        return underWay.size();
    }

    /** Delivers what was held back, oldest first, and returns the server's replies, errors as exceptions. */
    public List<@Nullable Object> letGo() {
        for (Runnable reply : List.copyOf(lateReplies)) {
            lateReplies.remove(reply);
            reply.run();
        }
        List<@Nullable Object> replies = new CopyOnWriteArrayList<>();
        for (UnderWay late : List.copyOf(underWay)) {
            underWay.remove(late);
            replies.add(late.deliver(inner));
        }
        return replies;
    }

    @Override
    public CompletionStage<@Nullable Object> send(RedisCommand command) {
        asked.add(command);
        for (Rule rule : rules) {
            if (rule.takes(command)) {
                return rule.action.apply(command);
            }
        }
        return inner.send(command);
    }

    @Override
    public Subscription subscribe(String channel, Subscriber subscriber) {
        return subscriptions.subscribe(channel, subscriber);
    }

    private static CompletableFuture<@Nullable Object> broken(String what) {
        return CompletableFuture.failedFuture(RedisConnectionException.noReply(what, null));
    }

    /** A command, or a copy of one, that the server has not seen. */
    private record UnderWay(RedisCommand command, CompletableFuture<@Nullable Object> reply) {
        @Nullable
        Object deliver(RedisConnector to) {
            CompletableFuture<@Nullable Object> arrived = to.send(command).toCompletableFuture();
            Object answer = arrived.handle((value, failure) -> failure == null ? value : failure)
                    .join();
            if (answer instanceof Throwable failure) {
                reply.completeExceptionally(failure);
            } else {
                reply.complete(answer);
            }
            return answer;
        }
    }

    /** What to do to commands that fit. */
    public final class Rule {
        private final Predicate<RedisCommand> which;
        private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
        private Function<RedisCommand, CompletionStage<@Nullable Object>> action = inner::send;

        private Rule(Predicate<RedisCommand> which) {
            this.which = which;
        }

        /** Only for the next one that fits. */
        public Rule once() {
            return times(1);
        }

        /** Only for the next so many. */
        public Rule times(int count) {
            left.set(count);
            return this;
        }

        /** The command is carried out, its reply is lost with the connection; an error still passes, and is not counted. */
        public void loseReply() {
            act(command -> inner.send(command)
                    .whenComplete((value, failure) -> {
                        if (failure != null) {
                            left.incrementAndGet();
                        }
                    })
                    .thenCompose(value -> broken("reply to " + command + " lost")));
        }

        /** The connection breaks with the command under way: the engine sees that at once, the server only {@link #letGo}. */
        public void holdBack() {
            act(command -> {
                underWay.add(new UnderWay(command, new CompletableFuture<>()));
                return broken("connection broken, " + command + " still under way");
            });
        }

        /** The command is under way until {@link #letGo}, and whoever sent it waits for its reply, up to its time limit. */
        public void stall() {
            act(command -> {
                CompletableFuture<@Nullable Object> reply = new CompletableFuture<>();
                underWay.add(new UnderWay(command, reply));
                return inner.blocking() ? waited(reply, command) : reply;
            });
        }

        /** The command passes; its reply arrives with {@link #letGo}, and whoever sent it waits for that, up to its time limit. */
        public void stallReply() {
            passAndReply(lateReplies::add);
        }

        /** The command passes; its reply arrives that much later. */
        public void delayReply(Duration delay) {
            passAndReply(CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS));
        }

        private void passAndReply(Executor later) {
            act(command -> {
                CompletableFuture<@Nullable Object> late = new CompletableFuture<>();
                CompletionStage<@Nullable Object> reply = inner.send(command);
                later.execute(() -> reply.whenComplete((value, failure) -> {
                    if (failure == null) {
                        late.complete(value);
                    } else {
                        late.completeExceptionally(failure);
                    }
                }));
                return inner.blocking() ? waited(late, command) : late;
            });
        }

        /** The command passes, and a copy of it arrives with {@link #letGo}. */
        public void copyLate() {
            act(command -> {
                underWay.add(new UnderWay(command, new CompletableFuture<>()));
                return inner.send(command);
            });
        }

        /** The command is not sent and fails like this. */
        public void fail(Throwable failure) {
            act(command -> CompletableFuture.failedFuture(failure));
        }

        /** The command passes, after this has run on the sending thread. */
        public void first(Runnable look) {
            act(command -> {
                look.run();
                return inner.send(command);
            });
        }

        private void act(Function<RedisCommand, CompletionStage<@Nullable Object>> chosen) {
            action = chosen;
            rules.add(this);
        }

        private boolean takes(RedisCommand command) {
            return which.test(command) && left.getAndUpdate(n -> n > 0 ? n - 1 : 0) > 0;
        }
    }

    /** As a blocking client would: the calling thread waits, and gives up after the command timeout. */
    private CompletableFuture<@Nullable Object> waited(
            CompletableFuture<@Nullable Object> reply, RedisCommand command) {
        try {
            reply.get(commandTimeout().toNanos(), TimeUnit.NANOSECONDS);
            return reply;
        } catch (ExecutionException e) {
            return reply;
        } catch (TimeoutException e) {
            return broken("no reply to " + command + " in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return broken("interrupted while waiting for the reply to " + command);
        }
    }
}
