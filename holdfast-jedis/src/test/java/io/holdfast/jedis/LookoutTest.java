// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.TestClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;

class LookoutTest {
    private static final Duration MOMENT = Duration.ofNanos(100);

    private final TestClock clock = TestClock.frozen();
    private final Traffic traffic = new Traffic();
    private final Lookout lookout = new Lookout(traffic, clock, MOMENT);
    private int looks;

    @BeforeEach
    void oneCommandIsUnderWay() {
        traffic.begin();
    }

    @Test
    void reply_isLookedForUntilItIsThere() {
        assertThat(looksFor(5)).isEqualTo(5);
    }

    @Test
    void slowReply_isLookedForOnlyForAMoment() {
        assertThat(looksFor(1_000)).isBetween(10, 12);
    }

    @Test
    void farServer_isHardlyEverLookedOutFor() {
        int looked = 0;
        for (int reply = 0; reply < 10_000; reply++) {
            looked += looksFor(1_000) > 0 ? 1 : 0;
        }

        assertThat(looked).isLessThan(20);
    }

    @Test
    void oneSlowReply_isSoonForgotten() {
        looksFor(1_000);
        looksFor(1);
        looksFor(1);

        assertThat(looksFor(1)).isEqualTo(1);
        looksFor(1_000);
        assertThat(looksFor(1)).as("left out").isZero();
        assertThat(looksFor(1)).as("left out").isZero();
        assertThat(looksFor(1)).isEqualTo(1);
    }

    @Test
    void busyProcess_needsItsProcessors() {
        traffic.begin();
        assertThat(looksFor(5)).isZero();

        traffic.end();
        assertThat(looksFor(5)).isEqualTo(5);
    }

    @Test
    void commandThatJoinsIn_endsIt() {
        assertThat(looksFor(5, traffic::begin)).isEqualTo(1);
        traffic.end();

        assertThat(looksFor(5)).as("not in vain: it would have come").isEqualTo(5);
    }

    @Test
    void none_neverLooks() throws IOException {
        new Lookout(traffic, clock, Duration.ZERO).lookFor(() -> {
            throw new AssertionError("looked");
        });
    }

    @Test
    void connection_looksOutForItsReplies() {
        AtomicInteger looked = new AtomicInteger();
        try (EmbeddedRedis server = EmbeddedRedis.start();
                ConnectionPool pool = new ConnectionPool(EagerConnection.factory(
                        new HostAndPort(server.host(), server.port()),
                        DefaultJedisClientConfig.builder().build(),
                        () -> new Lookout(traffic, looked::incrementAndGet, Duration.ofNanos(1_000_000))));
                Connection connection = pool.getResource()) {
            int before = looked.get();

            connection.sendCommand(Protocol.Command.PING);
            assertThat(connection.getOne()).isEqualTo("PONG".getBytes(StandardCharsets.US_ASCII));

            assertThat(looked.get()).isGreaterThan(before);
        }
    }

    private int looksFor(int thereAtLook) {
        return looksFor(thereAtLook, () -> {});
    }

    private int looksFor(int thereAtLook, Runnable meanwhile) {
        looks = 0;
        try {
            lookout.lookFor(() -> {
                clock.advance(Duration.ofNanos(10));
                meanwhile.run();
                return ++looks >= thereAtLook;
            });
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return looks;
    }
}
