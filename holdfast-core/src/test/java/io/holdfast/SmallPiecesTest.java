// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.holdfast.spi.LockName;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisConnectorFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Key names, patience, fences and the choice of a connector. */
class SmallPiecesTest {

    @Test
    void keySpace_namesKeysAsConfigured() {
        assertThat(new KeySpace("holdfast", "lock", false).name("order:1").lockKey())
                .isEqualTo("holdfast:lock:order:1");
        assertThat(new KeySpace("neton", "lock", false).name("order:1").lockKey())
                .isEqualTo("neton:lock:order:1");
        assertThat(new KeySpace("", "lock", false).name("order:1").lockKey()).isEqualTo("lock:order:1");
        assertThat(new KeySpace("distributed_lock", "", false).name("order:1").lockKey())
                .isEqualTo("distributed_lock:order:1");
        assertThat(new KeySpace("", "", false).name("order:1").lockKey()).isEqualTo("order:1");
        assertThat(new KeySpace("neton", "lock", true).name("order:1").lockKey())
                .isEqualTo("order:1");
    }

    @Test
    void keySpace_companionsNeverCollideWithLocks() {
        KeySpace exact = new KeySpace("", "", true);
        LockName name = exact.name("order:1");

        assertThat(name.fenceKey()).isEqualTo("holdfast:fence");
        assertThat(name.queueKey()).isEqualTo("holdfast:queue:order:1");
        assertThat(name.ownerKey()).isEqualTo("holdfast:owner:order:1");
        assertThat(name.holdsKey()).isEqualTo("holdfast:holds:order:1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> exact.name(name.fenceKey()))
                .withMessageContaining("Holdfast's own key holdfast:fence");
    }

    @Test
    void patience_followsTheOptions() {
        assertThat(Patience.of(LockOptions.defaults())).isEqualTo(Patience.once());
        assertThat(Patience.of(LockOptions.builder().maxAttempts(3).build()))
                .isEqualTo(new Patience(Long.MAX_VALUE, 3));
        assertThat(Patience.of(LockOptions.builder().wait(Duration.ofSeconds(1)).build()))
                .isEqualTo(new Patience(1_000_000_000, Integer.MAX_VALUE));
        assertThat(Patience.of(LockOptions.builder()
                        .wait(Duration.ofSeconds(1))
                        .maxRetries(2)
                        .build()))
                .isEqualTo(new Patience(1_000_000_000, 3));
    }

    @Test
    void patience_lengthsBeyondMeasure_areForEver() {
        assertThat(Patience.upTo(Duration.ofSeconds(Long.MAX_VALUE)).isEndless())
                .isTrue();
        // An alarm that far away would sort before one that is overdue.
        assertThat(Patience.upTo(Duration.ofNanos(Long.MAX_VALUE - 1)).isEndless())
                .isTrue();
        assertThat(Patience.upTo(Duration.ofDays(36_499)).isEndless()).isFalse();
    }

    @Test
    void patience_atMost_takesTheShorter() {
        assertThat(Patience.endless().atMost(Duration.ofSeconds(35)).waitNanos())
                .isEqualTo(35_000_000_000L);
        assertThat(Patience.upTo(Duration.ofSeconds(1))
                        .atMost(Duration.ofSeconds(35))
                        .waitNanos())
                .isEqualTo(1_000_000_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Patience.upTo(Duration.ofNanos(-1)))
                .withMessageStartingWith("wait must not be negative");
    }

    @Test
    void fence_laterBaseBeatsAnyTurnOfAnEarlierOne() {
        long base = 1_763_242_798_123_456L;

        assertThat(Fence.token(base, 0)).isPositive().isLessThan(Fence.token(base, 1));
        assertThat(Fence.token(base, 1023)).isLessThan(Fence.token(base + 1, 0));
    }

    @Test
    void fence_inTheYear2255_stillFitsALong() {
        long micros = Instant.parse("2255-01-01T00:00:00Z").getEpochSecond() * 1_000_000;

        assertThat(Fence.token(micros, 1023)).isPositive();
    }

    @Test
    void connectors_none_saysWhatToAdd() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Connectors.only(List.of()))
                .withMessageContaining("io.holdfast:holdfast-jedis")
                .withMessageContaining("io.holdfast:holdfast-lettuce");
        assertThatIllegalStateException()
                .as("core's own class path has none")
                .isThrownBy(Holdfast::connect)
                .withMessageContaining("no Redis connector on the class path");
    }

    @Test
    void connectors_two_saysWhichAndHowToChoose() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Connectors.only(List.of(factory("holdfast-lettuce"), factory("holdfast-jedis"))))
                .withMessageContaining("(holdfast-jedis, holdfast-lettuce)")
                .withMessageContaining("Holdfast.builder().connector");
    }

    @Test
    void connectors_one_isTaken() {
        RedisConnectorFactory only = factory("holdfast-jedis");

        assertThat(Connectors.only(List.of(only))).isSameAs(only);
    }

    private static RedisConnectorFactory factory(String artifact) {
        return new RedisConnectorFactory() {
            @Override
            public String artifact() {
                return artifact;
            }

            @Override
            public RedisConnector create(RedisAddress address) {
                throw new UnsupportedOperationException();
            }
        };
    }
}
