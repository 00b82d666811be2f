// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.Lookout;
import io.holdfast.spi.RedisAddress;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LettuceLookoutTest {
    private static EmbeddedRedis server;

    private final AtomicInteger looked = new AtomicInteger();
    /** Their clock moves with each look only: none is in vain. */
    private final SharedLoops threads = new SharedLoops(looked::incrementAndGet, Duration.ofNanos(1_000_000_000));

    @BeforeAll
    static void startServer() {
        server = EmbeddedRedis.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void loneThread_looksOutForTheAnswersToAcquireAndRelease() {
        RedisAddress address = RedisAddress.parse(server.uri());
        try (Holdfast locks = Holdfast.builder()
                .connector(LettuceConnector.connect(address, threads))
                .build()) {
            int whileAcquiring = 0;
            int whileReleasing = 0;
            // Again and again: a thread that loses its processor finds the answer there when it would begin to look.
            for (int i = 0; i < 1_000 && (whileAcquiring == 0 || whileReleasing == 0); i++) {
                int before = looked.get();
                Lease lease =
                        locks.tryLock("looked-out-for", Duration.ofSeconds(10)).orElseThrow();
                int between = looked.get();
                lease.release();
                whileAcquiring += between - before;
                whileReleasing += looked.get() - between;
            }
            assertThat(whileAcquiring).isPositive();
            assertThat(whileReleasing).isPositive();
        }
    }

    @Test
    void commandsUnderWay_areCountedUntilTheyAreOver() {
        RedisAddress address = RedisAddress.parse(server.uri());
        try (Holdfast locks = Holdfast.builder()
                .connector(LettuceConnector.connect(address, threads))
                .build()) {
            locks.withLock("counted", Duration.ofSeconds(10), () -> {});
        }
        int before = looked.get();

        Lookout lookout = threads.replies();
        lookout.lookFor(() -> true); // nothing is under way: nobody looks
        assertThat(looked.get()).isEqualTo(before);
        lookout.begin();
        lookout.lookFor(() -> true); // this one is alone
        assertThat(looked.get()).isGreaterThan(before);
    }

    @Test
    void applicationsClient_isLeftAlone() {
        RedisClient client = RedisClient.create(server.uri());
        try (LettuceConnector connector = LettuceConnector.using(client)) {
            assertThat(connector.lookout()).isSameAs(Lookout.none());
        } finally {
            client.shutdown();
        }
    }

    @Test
    void moment_isWithinBounds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LettuceConnector.connect(RedisAddress.local(), Duration.ofSeconds(1)))
                .withMessageContaining("0 to 10 ms");
    }
}
