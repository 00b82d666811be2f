// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisReplyException;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listening on a channel: what every connector must do, and above all, when it must say that it is over. */
public abstract class SubscriptionContract extends ProtocolContract {
    private static final Duration SHORT = ms(300);
    private static final String PASSWORD = "listener-s3cret";

    private final List<RedisConnector> connectors = new ArrayList<>();
    private final SubscriberRecorder heard = new SubscriberRecorder();

    /** One of its own: connections are counted. */
    @Override
    protected EmbeddedRedis server() {
        return target().version().builder().start();
    }

    @AfterEach
    void closeConnectors() {
        connectors.forEach(RedisConnector::close);
    }

    private RedisConnector connector(RedisAddress address) {
        RedisConnector connector = target().connect().apply(address);
        connectors.add(connector);
        return connector;
    }

    private RedisConnector connector() {
        return connector(redis().address().withTimeout(RedisFixture.PATIENT));
    }

    private String channel() {
        return "holdfast:ch:" + key;
    }

    private Subscription listen(RedisConnector connector) {
        Subscription subscription = connector.subscribe(channel(), heard);
        await().until(() -> heard.words().contains(SubscriberRecorder.SUBSCRIBED));
        return subscription;
    }

    private void publish(String message) {
        assertThat(raw().call("PUBLISH", channel(), message)).as("listeners").isEqualTo(1L);
    }

    private RuntimeException awaitEnd() {
        return await().until(heard::end, Objects::nonNull);
    }

    private static void awaitPong(Subscription subscription) throws Exception {
        subscription.ping().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast-jedis-"))
                .count();
    }

    /** Connections that must not be there, by what the server says: all but this test's own, for a client of the connector's. */
    protected long leftOver(RawRedis raw) {
        return String.valueOf(raw.call("CLIENT", "LIST")).lines().count() - 1;
    }

    private static void elapse() {
        elapse(ms(500));
    }

    @Test
    void messages_arriveInOrder_afterTheConfirmation() {
        listen(connector());

        publish("one");
        publish("zwei, 二, \uD83D\uDD12");
        publish("");
        publish("four");

        await().untilAsserted(() -> assertThat(heard.words())
                .containsExactly(SubscriberRecorder.SUBSCRIBED, "one", "zwei, 二, \uD83D\uDD12", "", "four"));
    }

    @Test
    void burst_arrivesWholeAndInOrder_withPingsInBetween() throws Exception {
        Subscription subscription = listen(connector());
        List<String> sent =
                IntStream.range(0, 1_000).mapToObj(i -> "message " + i).toList();

        for (int i = 0; i < sent.size(); i++) {
            publish(sent.get(i));
            if (i % 100 == 0) {
                awaitPong(subscription);
            }
        }

        await().untilAsserted(() -> assertThat(heard.messages()).isEqualTo(sent));
        awaitPong(subscription);
        assertThat(heard.end()).isNull();
    }

    @Test
    void burst_arrivesWholeAndInOrder_alsoWhereCallersListen() throws Exception {
        Subscription subscription = listen(connector());
        List<String> sent =
                IntStream.range(0, 2_000).mapToObj(i -> "message " + i).toList();
        AtomicBoolean over = new AtomicBoolean();
        List<CompletableFuture<Void>> callers = IntStream.range(0, 3)
                .mapToObj(i -> CompletableFuture.runAsync(
                        () -> {
                            while (!over.get()) {
                                int known = heard.words().size();
                                subscription.listenFor(
                                        () -> over.get() || heard.words().size() > known);
                                subscription.glance();
                            }
                        },
                        task -> new Thread(task).start()))
                .toList();

        for (int i = 0; i < sent.size(); i++) {
            publish(sent.get(i));
            if (i % 500 == 0) {
                awaitPong(subscription);
            }
        }

        await().untilAsserted(() -> assertThat(heard.messages()).isEqualTo(sent));
        over.set(true);
        for (CompletableFuture<Void> caller : callers) {
            caller.get(20, TimeUnit.SECONDS);
        }
        assertThat(heard.overlapped()).as("one call at a time").isFalse();
        awaitPong(subscription);
        assertThat(heard.end()).isNull();
    }

    @Test
    void afterCallersListened_wordIsHeardWithoutThem() {
        Subscription subscription = listen(connector());
        publish("one");
        subscription.listenFor(() -> heard.messages().contains("one"));
        subscription.listenFor(() -> false); // in vain

        publish("two");

        await().until(() -> heard.messages().equals(List.of("one", "two")));
    }

    @Test
    void listening_whereItIsOver_returns() {
        Subscription subscription = listen(connector());
        redis().server().kill();
        awaitEnd();

        subscription.listenFor(() -> false);

        assertThat(subscription.glance()).isFalse();
        assertThat(heard.words()).containsExactly(SubscriberRecorder.SUBSCRIBED);
    }

    @Test
    void ping_isAnswered_alsoManyTimes() throws Exception {
        Subscription subscription = listen(connector());

        for (int i = 0; i < 50; i++) {
            awaitPong(subscription);
        }

        publish("still there");
        await().until(() -> heard.messages().equals(List.of("still there")));
    }

    @Test
    void idle_longerThanTheCommandTimeout_staysAlive() {
        RedisConnector connector = connector(redis().address().withTimeout(SHORT));
        listen(connector);

        elapse(SHORT.multipliedBy(4));

        publish("after the silence");
        await().until(() -> heard.messages().equals(List.of("after the silence")));
        assertThat(heard.end()).isNull();
    }

    @Test
    void subscriberThatThrows_doesNotEndIt() throws Exception {
        heard.throwing(new IllegalStateException("on purpose"));
        Subscription subscription = listen(connector());
        publish("one");
        await().until(() -> heard.messages().size() == 1);

        heard.throwing(new AssertionError("on purpose"));
        publish("two");
        publish("three");

        await().until(() -> heard.messages().equals(List.of("one", "two", "three")));
        awaitPong(subscription);
        assertThat(heard.end()).isNull();
    }

    @Test
    void killedByTheServer_ends_andIsNotReplacedSilently() {
        listen(connector());

        raw().call("CLIENT", "KILL", "TYPE", "pubsub");

        assertThat(awaitEnd()).isInstanceOf(RedisConnectionException.class);
        elapse();
        assertThat(raw().call("PUBLISH", channel(), "nobody hears")).isEqualTo(0L);
        assertThat(heard.words()).containsExactly(SubscriberRecorder.SUBSCRIBED);
    }

    @Test
    void serverThatStops_endsIt() {
        listen(connector());

        redis().server().kill();

        assertThat(awaitEnd()).isInstanceOf(RedisConnectionException.class);
        redis().server().restart();
        elapse();
        try (RawRedis fresh =
                new RawRedis(redis().address().host(), redis().address().port())) {
            assertThat(leftOver(fresh)).as("reconnected behind our back").isZero();
        }
    }

    @Test
    void serverThatIsDown_endsItBeforeItBegins() {
        redis().server().kill();

        Subscription subscription = connector().subscribe(channel(), heard);

        assertThat(awaitEnd()).isInstanceOf(RedisConnectionException.class);
        assertThat(heard.words()).isEmpty();
        assertThat(subscription.ping().toCompletableFuture())
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .withCauseInstanceOf(RedisConnectionException.class);
    }

    @Test
    void pausedServer_leavesThePingOpen_andCanBeLeft() {
        long threadsBefore = threads();
        Subscription subscription = listen(connector());
        redis().server().pause();
        try {
            CompletableFuture<?> pong = subscription.ping().toCompletableFuture();
            elapse();
            assertThat(pong).isNotDone();
            subscription.close();
            await().until(() -> threads() == threadsBefore);
        } finally {
            redis().server().resume();
        }
        await().until(() -> leftOver(raw()) == 0);
        assertThat(heard.end()).isNull();
    }

    @Test
    void refusedByAcl_endsWithTheServersReply() {
        assertThat(listenAs("+subscribe", "+ping")).hasMessageContaining("NOPERM");
        assertThat(heard.words()).isEmpty();
    }

    @Test
    void refusedCommand_endsWithTheServersReply() {
        assertThat(listenAs("&*", "+ping")).hasMessageContaining("NOPERM");
    }

    @Test
    void userWithTheFewestPermissions_listensInAnyDatabase() throws Exception {
        RedisConnector connector = connector(user(3, "&" + channel(), "+subscribe", "+ping", "+select"));
        Subscription subscription = listen(connector);

        awaitPong(subscription);

        publish("from database 0");
        await().until(() -> heard.messages().equals(List.of("from database 0")));
        raw().call("ACL", "DELUSER", "listener-" + key);
    }

    @Test
    void ping_withoutThePermission_isNotTakenForAHalfOpenConnection() {
        Subscription subscription = listen(connector(user(0, "&" + channel(), "+subscribe")));

        CompletableFuture<?> pong = subscription.ping().toCompletableFuture();

        await().until(pong::isDone); // a connector may have another way to ask
        if (pong.isCompletedExceptionally()) {
            assertThat(pong)
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(RedisReplyException.class);
        }
        raw().call("ACL", "DELUSER", "listener-" + key);
    }

    private RuntimeException listenAs(String... permissions) {
        RedisConnector connector = connector(user(0, permissions));
        connector.subscribe(channel(), heard);
        RuntimeException end = awaitEnd();
        raw().call("ACL", "DELUSER", "listener-" + key);
        assertThat(end).isInstanceOf(RedisReplyException.class);
        return end;
    }

    private RedisAddress user(int database, String... permissions) {
        String user = "listener-" + key;
        List<String> words = new ArrayList<>(
                List.of("ACL", "SETUSER", user, "reset", "on", ">" + PASSWORD, "-@all", "resetchannels"));
        words.addAll(List.of(permissions));
        raw().call(words.toArray(String[]::new));
        RedisAddress at = redis().address();
        return new RedisAddress(at.host(), at.port(), user, PASSWORD, database, false, RedisFixture.PATIENT);
    }

    @Test
    void close_leavesNoConnectionAndNoThread_andTellsNothing() {
        RedisConnector connector = connector();
        long threadsBefore = threads();
        Subscription subscription = listen(connector);

        subscription.close();
        subscription.close();

        await().until(() -> leftOver(raw()) == 0 && threads() == threadsBefore);
        assertThat(heard.words()).containsExactly(SubscriberRecorder.SUBSCRIBED);
        assertThat(heard.end()).isNull();
        assertThat(subscription.ping().toCompletableFuture())
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableOfType(ExecutionException.class);
    }

    @Test
    void close_atOnce_leavesNothingEither() {
        RedisConnector connector = connector();
        long threadsBefore = threads();

        for (int i = 0; i < 20; i++) {
            connector.subscribe(channel(), heard).close();
        }

        await().until(() -> leftOver(raw()) == 0 && threads() == threadsBefore);
        elapse();
        assertThat(leftOver(raw())).isZero();
        assertThat(heard.end()).isNull();
    }

    @Test
    void closeOfTheConnector_endsIt() {
        RedisConnector connector = connector();
        listen(connector);

        connector.close();

        assertThat(awaitEnd()).isInstanceOf(RedisConnectionException.class);
        await().until(() -> leftOver(raw()) == 0);
    }

    @Test
    void closedConnector_doesNotListen() {
        RedisConnector connector = connector();
        connector.close();

        connector.subscribe(channel(), heard);

        assertThat(awaitEnd()).isInstanceOf(RedisConnectionException.class);
        assertThat(leftOver(raw())).isZero();
    }
}
