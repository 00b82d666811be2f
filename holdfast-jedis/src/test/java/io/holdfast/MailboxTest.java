// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisReplyException;
import io.holdfast.spi.Signals;
import io.holdfast.testkit.RawRedis;
import io.holdfast.testkit.TamperingConnector;
import io.holdfast.testkit.TamperingSubscriptions;
import io.holdfast.testkit.TestClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The one subscription of a process, on a real server behind a network that can be tampered with. */
class MailboxTest {
    private static final String CHANNEL = "holdfast:ch:abcdefghijkl";
    private static final String ID = "i".repeat(Signals.ID_LENGTH);
    private static final String INTERRUPTED = "interrupted";
    private static final RedisReplyException NOPERM =
            new RedisReplyException("NOPERM this user has no permissions to access one of the channels");

    private final EmbeddedRedis server = EmbeddedRedis.start();
    private final RawRedis raw = new RawRedis(server.host(), server.port());
    private final TestClock clock = TestClock.ticking();
    private final Alarms alarms = new Alarms(clock);
    private final TamperingConnector network =
            new TamperingConnector(JedisConnector.connect(RedisAddress.parse(server.uri())));
    private final TamperingSubscriptions subscriptions = network.subscriptions();
    private final Heard heard = new Heard();
    private final Mailbox mailbox = new Mailbox(network, CHANNEL, alarms, clock);

    @AfterEach
    void close() {
        mailbox.close();
        network.close();
        alarms.close();
        raw.close();
        server.close();
    }

    @Test
    void unopened_connectsNothing() {
        assertThat(mailbox.isHealthy()).isFalse();
        assertThat(subscriptions.opened()).isZero();
    }

    @Test
    void open_isHealthyOnceSubscribed_andTellsThoseWhoPoll() {
        open();

        mailbox.open(heard);

        assertThat(subscriptions.opened()).as("a second open").isEqualTo(1);
        assertThat(heard.words).containsExactly(INTERRUPTED);
        assertThat(listeners()).isEqualTo(1);
    }

    @Test
    void words_reachTheSignals() {
        open();

        publish("g" + ID);
        publish("w" + ID);

        await().untilAsserted(
                        () -> assertThat(heard.words).containsExactly(INTERRUPTED, "granted " + ID, "wanted " + ID));
    }

    @Test
    void lockHandedOver_comesWithItsFenceBase_andWithThoseBehind() {
        open();

        publish("G" + ID + "1763242798123456");
        publish("G" + ID + "1763242798123456" + ID + ID);

        String handedOver = "handed over " + ID + " 1763242798123456";
        await().untilAsserted(() ->
                assertThat(heard.words).containsExactly(INTERRUPTED, handedOver + " ", handedOver + " " + ID + ID));
    }

    @Test
    void badMessages_areIgnored_andEndNothing() {
        open();

        for (String bad :
                List.of("", "g", "g" + ID + "x", "x" + ID, "g" + ID.substring(1), "\uD83D\uDD12", "锁".repeat(35))) {
            publish(bad);
        }
        for (String bad : List.of("", "0763242798123456", "176324279812345", "17632427981234567", "176324279812345x")) {
            publish("G" + ID + bad);
        }
        publish("G" + ID + "1763242798123456" + ID.substring(1));
        publish("G" + ID + "1763242798123456" + ID.repeat(32));
        publish("x".repeat(1 << 20));
        publish("g" + ID);

        await().untilAsserted(() -> assertThat(heard.words).containsExactly(INTERRUPTED, "granted " + ID));
        assertThat(mailbox.isHealthy()).isTrue();
        assertThat(subscriptions.opened()).isEqualTo(1);
    }

    @Test
    void signalsThatThrow_endNothing() {
        open();
        heard.toThrow = new IllegalStateException("on purpose");

        publish("g" + ID);
        publish("w" + ID);

        await().untilAsserted(
                        () -> assertThat(heard.words).containsExactly(INTERRUPTED, "granted " + ID, "wanted " + ID));
        assertThat(mailbox.isHealthy()).isTrue();
    }

    @Test
    void answeredPings_keepItHealthy() {
        open();

        for (int second = 0; second < 4; second++) {
            letASecondPass();
        }

        assertThat(mailbox.isHealthy()).isTrue();
        assertThat(subscriptions.opened()).isEqualTo(1);
        assertThat(heard.words).containsExactly(INTERRUPTED);
    }

    @Test
    void halfOpen_isNoticedByTheMissingPong_andReplaced() {
        open();

        subscriptions.halfOpen();
        await().until(() -> subscriptions.opened() == 2);

        assertThat(heard.words).startsWith(INTERRUPTED, INTERRUPTED);
        await().until(mailbox::isHealthy);
        await().untilAsserted(() -> assertThat(heard.words).containsExactly(INTERRUPTED, INTERRUPTED, INTERRUPTED));
        publish("g" + ID);
        await().until(() -> heard.words.contains("granted " + ID));
        assertThat(listeners()).as("the old one is closed").isEqualTo(1);
    }

    @Test
    void withoutPongs_itIsNotHealthyForLong() {
        subscriptions.swallowPongs();
        mailbox.open(heard);

        await().until(() -> subscriptions.opened() >= 3);
        subscriptions.calm();

        await().until(mailbox::isHealthy);
        int then = subscriptions.opened();
        letASecondPass();
        letASecondPass();
        assertThat(subscriptions.opened()).isLessThanOrEqualTo(then + 1);
        assertThat(mailbox.isHealthy()).isTrue();
    }

    @Test
    void brokenConnection_isUnhealthyAtOnce_andReplaced() {
        open();

        raw.call("CLIENT", "KILL", "TYPE", "pubsub");

        await().untilAsserted(() -> assertThat(heard.words).containsExactly(INTERRUPTED, INTERRUPTED, INTERRUPTED));
        assertThat(mailbox.isHealthy()).isTrue();
        assertThat(subscriptions.opened()).isEqualTo(2);
    }

    @Test
    void serverThatIsDown_isTriedEverLessOften_andFoundAgain() {
        open();
        server.kill();
        await().until(() -> !mailbox.isHealthy());
        await().until(() -> subscriptions.opened() >= 4);
        assertThat(heard.words).as("told once, not at each try").containsExactly(INTERRUPTED, INTERRUPTED);

        server.restart();

        await().until(mailbox::isHealthy);
        await().until(() -> heard.words.size() == 3);
    }

    @Test
    void refusal_isSaidOnce_andTriedAgainEveryMinute() {
        List<String> said = saidDuring(() -> {
            subscriptions.refuse(NOPERM);
            mailbox.open(heard);
            for (int tries = 1; tries <= 3; tries++) {
                int now = tries;
                await().until(() -> subscriptions.refused() == now);
                clock.advance(Duration.ofSeconds(61));
            }
            await().until(() -> subscriptions.refused() == 4);
        });

        assertThat(said.stream().filter(line -> line.contains("WARN")))
                .singleElement()
                .asString()
                .contains(CHANNEL, "NOPERM", "poll");
        assertThat(heard.words).isEmpty();
        assertThat(mailbox.isHealthy()).isFalse();
        letASecondPass();
        assertThat(subscriptions.opened()).as("not before a minute has passed").isEqualTo(4);
    }

    /** As when a jar is missing: only those who wait would notice, by being slow. */
    @Test
    void clientThatCannotSubscribeAtAll_isSaidOnce_andTriedAgain() {
        AtomicInteger tries = new AtomicInteger();
        RedisConnector broken = (RedisConnector) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {RedisConnector.class}, (proxy, method, arguments) -> {
                    tries.incrementAndGet();
                    throw new NoClassDefFoundError("client/Part");
                });
        try (Mailbox box = new Mailbox(broken, CHANNEL, alarms, clock)) {
            List<String> said = saidDuring(() -> {
                box.open(heard);
                await().until(() -> tries.get() == 1); // by the timer
                await().until(() -> {
                    clock.advance(Duration.ofSeconds(61));
                    return tries.get() >= 2;
                });
            });

            assertThat(said.stream().filter(line -> line.contains("WARN")))
                    .singleElement()
                    .asString()
                    .contains(CHANNEL, "NoClassDefFoundError: client/Part", "poll");
            assertThat(box.isHealthy()).isFalse();
        }
    }

    @Test
    void refusalThatWasLifted_isNoticedWithinAMinute() {
        openRefused();
        subscriptions.calm();
        assertThat(mailbox.isHealthy()).isFalse();

        clock.advance(Duration.ofSeconds(61));

        await().until(mailbox::isHealthy);
    }

    @Test
    void passingError_isNoRefusal() {
        subscriptions.refuse(new RedisReplyException("ERR max number of clients reached"));
        mailbox.open(heard);
        await().until(() -> subscriptions.opened() >= 3);
    }

    @Test
    void close_leavesNoConnection_andTellsNothing() {
        open();

        mailbox.close();
        mailbox.close();

        assertThat(mailbox.isHealthy()).isFalse();
        await().until(() -> listeners() == 0);
        letASecondPass();
        letASecondPass();
        assertThat(subscriptions.opened()).isEqualTo(1);
        assertThat(heard.words).containsExactly(INTERRUPTED);
    }

    @Test
    void close_whileItIsDown_staysClosed() {
        openRefused();

        mailbox.close();
        subscriptions.calm();
        clock.advance(Duration.ofMinutes(2));
        letASecondPass();

        assertThat(subscriptions.opened()).isEqualTo(1);
        assertThat(listeners()).isZero();
    }

    private void open() {
        mailbox.open(heard);
        await().until(() -> mailbox.isHealthy() && heard.words.contains(INTERRUPTED));
    }

    private void openRefused() {
        subscriptions.refuse(NOPERM);
        mailbox.open(heard);
        await().until(() -> subscriptions.refused() == 1); // by the timer
    }

    private void publish(String message) {
        assertThat(raw.call("PUBLISH", CHANNEL, message)).as("listeners").isEqualTo(1L);
    }

    private long listeners() {
        return String.valueOf(raw.call("CLIENT", "LIST", "TYPE", "pubsub"))
                .lines()
                .filter(line -> !line.isBlank())
                .count();
    }

    private static List<String> saidDuring(Runnable action) {
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            action.run();
        } finally {
            System.setErr(err);
        }
        return said.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static void letASecondPass() {
        Duration second = Duration.ofMillis(1_100);
        await().pollDelay(second).until(() -> true);
    }

    private static ConditionFactory await() {
        return Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(30));
    }

    private static final class Heard implements Signals {
        private final List<String> words = new CopyOnWriteArrayList<>();
        private volatile RuntimeException toThrow;

        @Override
        public void granted(String id) {
            hear("granted " + id);
        }

        @Override
        public void handedOver(String id, AcquireReply.Granted grant) {
            hear("handed over " + id + " " + grant.fenceBase() + " " + grant.behind());
        }

        @Override
        public void wanted(String id) {
            hear("wanted " + id);
        }

        @Override
        public void interrupted() {
            hear(INTERRUPTED);
        }

        private void hear(String word) {
            words.add(word);
            if (toThrow != null) {
                throw toThrow;
            }
        }
    }
}
