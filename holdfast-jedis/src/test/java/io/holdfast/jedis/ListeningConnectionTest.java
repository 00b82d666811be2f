// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.Lookout;
import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisReplyException;
import io.holdfast.spi.Subscriber;
import io.holdfast.testkit.RawRedis;
import io.holdfast.testkit.TestClock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

/** Who reads a subscription, its own thread or a caller that waits for word. By a clock that stands still: nobody comes back by itself. */
class ListeningConnectionTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Executor OWN_THREAD = task -> new Thread(task).start();
    private static final Duration ASIDE = Duration.ofNanos(500_000);

    private final EmbeddedRedis server = EmbeddedRedis.start();
    private final RawRedis raw = new RawRedis(server.host(), server.port());
    private final TricklingProxy proxy = TricklingProxy.before(server.host(), server.port());
    private final TestClock clock = TestClock.frozen();
    private final Heard heard = new Heard();
    private final Lookout patient = new Lookout(MonotonicClock.SYSTEM, Duration.ofSeconds(10));
    private JedisSubscription subscription = subscribed(patient);

    @AfterEach
    void close() {
        subscription.close();
        proxy.close();
        raw.close();
        server.close();
    }

    @BeforeEach
    void ownThreadStepsAside() throws Exception {
        stepAside();
    }

    private JedisSubscription subscribed(Lookout lookout) {
        JedisClientConfig config =
                DefaultJedisClientConfig.builder().timeoutMillis(500).build();
        Listening listening = ConnectionListening.shared(
                pubSub -> new ListeningConnection(
                        new Sockets(new HostAndPort(proxy.host(), proxy.port()), config),
                        config,
                        lookout,
                        clock,
                        pubSub),
                new Failures("here", Duration.ofMillis(500)));
        JedisSubscription made = new JedisSubscription(listening, "channel", heard);
        made.start(gone -> {});
        await().until(() -> heard.subscribed);
        return made;
    }

    /** It reads when a caller begins to listen, so the first message is its own; then it sees that somebody listens. */
    private void stepAside() throws Exception {
        CompletableFuture<Void> listens = CompletableFuture.runAsync(
                () -> subscription.listenFor(() -> heard.by.containsKey("first")), OWN_THREAD);
        await().until(() -> {
            publish("first");
            return listens.isDone();
        });
        listens.get(1, TimeUnit.SECONDS);
        await().until(subscription::glance);
    }

    private void listenBriefly() throws Exception {
        subscription.close();
        await().until(() ->
                String.valueOf(raw.call("CLIENT", "LIST", "TYPE", "pubsub")).isBlank());
        heard.subscribed = false;
        heard.by.clear();
        subscription = subscribed(new Lookout(MonotonicClock.SYSTEM, Duration.ofMillis(200)));
        stepAside();
    }

    private void publish(String message) {
        assertThat(raw.call("PUBLISH", "channel", message)).isEqualTo(1L);
    }

    private void awaitHeard(String message) {
        await().atMost(LONG).until(() -> heard.by.containsKey(message));
    }

    private @Nullable Thread listenFor(String message) {
        subscription.listenFor(() -> heard.by.containsKey(message));
        return heard.by.get(message);
    }

    @Test
    void caller_hearsOnItsOwnThread() {
        publish("word");

        assertThat(listenFor("word")).isSameAs(Thread.currentThread());
    }

    @Test
    void messagesThatCameTogether_areAllHeardAtOnce() {
        raw.call("EVAL", "for i = 1, 5 do redis.call('PUBLISH', 'channel', 'word ' .. i) end", "0");

        assertThat(listenFor("word 5")).isSameAs(Thread.currentThread());

        for (int i = 1; i <= 5; i++) {
            assertThat(heard.by.get("word " + i)).isSameAs(Thread.currentThread());
        }
    }

    @Test
    void glance_hearsWhatHasComeIn() {
        publish("word");

        await().atMost(LONG).until(() -> subscription.glance() && heard.by.containsKey("word"));

        assertThat(heard.by.get("word")).isNotEqualTo(heard.ownThread);
    }

    @Test
    void ownThread_comesBack_whenCallersListenNoMore() {
        clock.advance(ASIDE);

        publish("word");

        awaitHeard("word");
        assertThat(heard.by.get("word")).isSameAs(heard.ownThread);
        assertThat(subscription.glance()).isFalse();
    }

    @Test
    void ownThread_comesBack_whenACallerListenedInVain() throws Exception {
        listenBriefly();

        subscription.listenFor(() -> false);
        publish("word");

        awaitHeard("word");
        assertThat(heard.by.get("word")).isSameAs(heard.ownThread);
    }

    @Test
    void ownThread_staysAside_whileAnotherCallerListens() throws Exception {
        CompletableFuture<Thread> another = CompletableFuture.supplyAsync(
                () -> {
                    listenFor("word");
                    return Thread.currentThread();
                },
                OWN_THREAD);
        subscription.listenFor(() -> true); // and is gone: nobody's coming back depends on it
        publish("word");

        assertThat(another.get(20, TimeUnit.SECONDS)).isSameAs(heard.by.get("word"));
    }

    @Test
    void answerToAPing_thatACallerReads_isTold() {
        CompletableFuture<?> pong = subscription.ping().toCompletableFuture();

        subscription.listenFor(pong::isDone);

        assertThat(pong).isCompleted();
    }

    @Test
    void brokenConnection_isNoticed_whenACallerListenedInVain() throws Exception {
        listenBriefly();
        raw.call("CLIENT", "KILL", "TYPE", "pubsub");

        subscription.listenFor(() -> heard.end != null);

        await().atMost(LONG).until(() -> heard.end != null);
        assertThat(heard.end).isInstanceOf(RedisConnectionException.class);
        assertThat(subscription.glance()).isFalse();
    }

    @Test
    void refusal_thatACallerReads_isToldByTheOwnThread() {
        raw.call("ACL", "SETUSER", "default", "-subscribe");
        subscription.ping(); // by way of one more SUBSCRIBE

        subscription.listenFor(() -> heard.end != null);

        await().atMost(LONG).until(() -> heard.end != null);
        assertThat(heard.end).isInstanceOf(RedisReplyException.class).hasMessageContaining("NOPERM");
    }

    @Test
    void halfAMessage_isLeftToTheOwnThread() throws Exception {
        listenBriefly();
        proxy.letThrough(20);
        publish("word");

        CompletableFuture<Void> caller =
                CompletableFuture.runAsync(() -> subscription.listenFor(() -> false), OWN_THREAD);
        caller.get(20, TimeUnit.SECONDS);

        assertThat(heard.by).doesNotContainKey("word");
        proxy.letThrough(Integer.MAX_VALUE);
        awaitHeard("word");
        assertThat(heard.by.get("word")).isSameAs(heard.ownThread);
    }

    @Test
    void longMessage_isHeard() {
        String longer = "long".repeat(10_000);
        publish(longer);

        subscription.listenFor(() -> heard.by.containsKey(longer));

        awaitHeard(longer);
        publish("word");
        listenFor("word");
        awaitHeard("word");
    }

    @Test
    void closed_isNotListenedTo() {
        subscription.close();
        await().until(() ->
                String.valueOf(raw.call("CLIENT", "LIST", "TYPE", "pubsub")).isBlank());

        subscription.listenFor(() -> true);

        assertThat(heard.end).isNull();
    }

    /** By which thread each message was told; the first must be the own one. */
    private static final class Heard implements Subscriber {
        final Map<String, Thread> by = new ConcurrentHashMap<>();
        private final AtomicBoolean inside = new AtomicBoolean();
        volatile boolean subscribed;
        volatile @Nullable Thread ownThread;
        volatile @Nullable RuntimeException end;

        @Override
        public void subscribed() {
            ownThread = Thread.currentThread();
            subscribed = true;
        }

        @Override
        public void message(String text) {
            assertThat(inside.compareAndSet(false, true)).as("one at a time").isTrue();
            by.put(text, Thread.currentThread());
            inside.set(false);
        }

        @Override
        public void ended(RuntimeException cause) {
            end = cause;
        }
    }
}
