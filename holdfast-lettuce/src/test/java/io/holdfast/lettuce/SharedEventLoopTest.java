// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.Subscriber;
import io.holdfast.spi.Subscription;
import io.holdfast.testkit.RawRedis;
import io.holdfast.testkit.TestClock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Who runs the client's loop, its own thread or a caller that waits. By a clock that stands still: the own thread never comes by itself. */
class SharedEventLoopTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration MOMENT = Duration.ofSeconds(1);
    private static final Executor OWN_THREAD = task -> new Thread(task).start();
    private static EmbeddedRedis server;

    private final Set<Thread> threadsBefore = lettuceThreads();
    private final TestClock clock = TestClock.frozen();
    private final SharedLoops threads = new SharedLoops(clock, MOMENT);
    private final LettuceConnector connector = LettuceConnector.connect(RedisAddress.parse(server.uri()), threads);
    private final RawRedis raw = new RawRedis(server.host(), server.port());
    private final Heard heard = new Heard();

    @BeforeAll
    static void startServer() {
        server = EmbeddedRedis.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @AfterEach
    void close() {
        connector.close();
        raw.close();
    }

    private CompletableFuture<@Nullable Object> send(String... words) {
        return connector.send(RedisCommand.keyless(words)).toCompletableFuture();
    }

    private @Nullable Object sendAndLook(String... words) throws Exception {
        CompletableFuture<@Nullable Object> reply = send(words);
        connector.lookout().lookFor(reply::isDone);
        return reply.get(20, TimeUnit.SECONDS);
    }

    /** The thread that read the reply to a command of the calling thread. */
    private Thread readerOfMyReply() throws Exception {
        CompletableFuture<Thread> by = new CompletableFuture<>();
        CompletableFuture<Void> told = send("BLPOP", "list", "0").thenRun(() -> by.complete(Thread.currentThread()));
        raw.call("RPUSH", "list", "there"); // only now does it come
        connector.lookout().lookFor(told::isDone);
        return by.get(20, TimeUnit.SECONDS);
    }

    /** From then on the own thread rests until it is called. */
    private void ownThreadStepsAside() throws Exception {
        boolean rests = false;
        for (int i = 0; i < 10_000 && !rests; i++) {
            sendAndLook("PING"); // the first reply is its own; then it sees that somebody looks
            rests = threads.isLeftToCallers();
        }
        assertThat(rests).isTrue();
    }

    private Subscription subscribed() {
        Subscription subscription = connector.subscribe("channel", heard);
        await().until(() -> heard.subscribed);
        return subscription;
    }

    private void publish(String message) {
        assertThat(raw.call("PUBLISH", "channel", message)).isEqualTo(1L);
    }

    @Test
    void caller_readsItsReplyItself() throws Exception {
        Thread reader = null;
        for (int i = 0;
                i < 100 && reader != Thread.currentThread();
                i++) { // it may find the own thread between two rests
            ownThreadStepsAside();
            reader = readerOfMyReply();
        }

        assertThat(reader).isSameAs(Thread.currentThread());
    }

    @Test
    void firstCommand_isAnswered_howeverEarlyItsCallerLooks() throws Exception {
        for (int i = 0; i < 10; i++) {
            try (LettuceConnector fresh = LettuceConnector.connect(
                    RedisAddress.parse(server.uri()), new SharedLoops(MonotonicClock.SYSTEM, MOMENT))) {
                CompletableFuture<@Nullable Object> reply =
                        fresh.send(RedisCommand.keyless("PING")).toCompletableFuture();
                fresh.lookout().lookFor(reply::isDone);
                assertThat(reply.get(20, TimeUnit.SECONDS)).isEqualTo("PONG");
            }
        }
    }

    @Test
    void replyThatNobodyLooksFor_isReadByTheOwnThread() throws Exception {
        for (int i = 0; i < 100; i++) {
            ownThreadStepsAside();

            CompletableFuture<@Nullable Object> reply = CompletableFuture.supplyAsync(() -> send("PING"), OWN_THREAD)
                    .get(20, TimeUnit.SECONDS); // on another thread: this one is known to read

            assertThat(reply.get(20, TimeUnit.SECONDS)).isEqualTo("PONG");
        }
    }

    @Test
    void callerThatLookedInVain_callsTheOwnThreadBack() throws Exception {
        Subscription subscription = subscribed();
        ownThreadStepsAside();

        AtomicBoolean looked = new AtomicBoolean();
        connector.lookout().begin();
        connector.lookout().lookFor(() -> {
            if (looked.compareAndSet(false, true)) {
                clock.advance(MOMENT);
            }
            return false;
        });
        connector.lookout().end();
        publish("word");

        await().atMost(LONG).until(() -> heard.by.containsKey("word"));
        assertThat(heard.by.get("word").getName()).startsWith("lettuce-");
        subscription.close();
    }

    @Test
    void callerThatWaitsForWord_hearsItItself() throws Exception {
        Subscription subscription = subscribed();
        ownThreadStepsAside();

        publish("word");
        subscription.listenFor(() -> heard.by.containsKey("word"));

        assertThat(heard.by.get("word")).isSameAs(Thread.currentThread());
    }

    @Test
    void glance_hearsWhatHasComeIn_whileTheOwnThreadRests() throws Exception {
        Subscription subscription = subscribed();
        ownThreadStepsAside();
        publish("word");

        await().atMost(LONG).until(() -> {
            subscription.glance();
            return heard.by.containsKey("word");
        });
        assertThat(heard.by.get("word").getName()).doesNotStartWith("lettuce-");
    }

    @Test
    void glance_isTrueOnlyWhereCallersListenForWord() throws Exception {
        Subscription subscription = subscribed();
        ownThreadStepsAside();
        assertThat(subscription.glance()).as("replies only").isFalse();

        publish("word");
        subscription.listenFor(() -> heard.by.containsKey("word"));
        await().atMost(LONG).until(subscription::glance); // it looks up between two rests

        sendAndLook("PING");
        clock.advance(MOMENT);
        assertThat(subscription.glance()).as("for a moment").isFalse();
    }

    @Test
    void commandsOfOthers_areAnswered_whileACallerListensInVain() throws Exception {
        Subscription subscription = subscribed();
        ownThreadStepsAside();
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> listener =
                CompletableFuture.runAsync(() -> subscription.listenFor(over::get), OWN_THREAD);

        for (int i = 0; i < 1_000; i++) {
            send("PING").get(20, TimeUnit.SECONDS);
        }

        over.set(true);
        listener.get(20, TimeUnit.SECONDS);
    }

    @Test
    void interruptedCaller_costsNobodyTheConnection() throws Exception {
        ownThreadStepsAside();
        Object before = sendAndLook("CLIENT", "ID");

        for (int i = 0; i < 200; i++) {
            CompletableFuture<@Nullable Object> reply = send("PING");
            Thread.currentThread().interrupt();
            connector.lookout().lookFor(reply::isDone);
            assertThat(Thread.interrupted()).as("kept for the caller").isTrue();
            reply.get(20, TimeUnit.SECONDS);
        }

        assertThat(sendAndLook("CLIENT", "ID")).isEqualTo(before);
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with Java 21")
    void virtualThread_leavesItToTheOwnThread() throws Throwable {
        Subscription subscription = subscribed();
        ownThreadStepsAside();
        CompletableFuture<Thread> by = new CompletableFuture<>();
        startVirtualThread(() -> {
            try {
                subscription.listenFor(() -> false); // by that clock it would listen for ever
                by.complete(readerOfMyReply());
            } catch (Throwable e) {
                by.completeExceptionally(e);
            }
        });

        assertThat(by.get(20, TimeUnit.SECONDS).getName()).startsWith("lettuce-");
    }

    /** By name: this is compiled for Java 17. */
    private static void startVirtualThread(Runnable task) throws Throwable {
        MethodHandles.publicLookup()
                .findStatic(Thread.class, "startVirtualThread", MethodType.methodType(Thread.class, Runnable.class))
                .invoke(task);
    }

    @Test
    void close_whileACallerListens_endsTheThreads() throws Exception {
        Subscription subscription = subscribed();
        ownThreadStepsAside();
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> listener =
                CompletableFuture.runAsync(() -> subscription.listenFor(over::get), OWN_THREAD);

        connector.close();

        await().atMost(LONG).until(() -> threadsBefore.containsAll(lettuceThreads()));
        assertThat(heard.end).isNotNull();
        over.set(true);
        listener.get(20, TimeUnit.SECONDS);
    }

    private static Set<Thread> lettuceThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("lettuce-"))
                .collect(Collectors.toSet());
    }

    /** By which thread each message was told. */
    private static final class Heard implements Subscriber {
        final Map<String, Thread> by = new ConcurrentHashMap<>();
        volatile boolean subscribed;
        volatile @Nullable RuntimeException end;

        @Override
        public void subscribed() {
            subscribed = true;
        }

        @Override
        public void message(String text) {
            by.put(text, Thread.currentThread());
        }

        @Override
        public void ended(RuntimeException cause) {
            end = cause;
        }
    }
}
