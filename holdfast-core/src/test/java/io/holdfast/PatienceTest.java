// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.AcquireReply.Contended;
import java.time.Duration;
import java.util.LongSummaryStatistics;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The pauses between two questions: those who were refused together must not ask together for ever. */
class PatienceTest {
    private static final double JITTER = 0.5;
    private static final LockOptions OPTIONS = LockOptions.builder()
            .retryInterval(Duration.ofMillis(100))
            .jitter(JITTER)
            .build();
    private static final LockOptions STEADY = LockOptions.builder()
            .retryInterval(Duration.ofMillis(100))
            .jitter(0)
            .build();
    private static final Contended FOR_EVER = new Contended("another's", -1, false, false);

    private final Patience patience = Patience.endless();

    @Test
    void poll_isLengthenedAtRandom_andByItsShareAtMost() {
        assertJittered(() -> patience.pollPause(OPTIONS, FOR_EVER), 100);
        assertJittered(() -> Patience.of(counted()).pollPause(counted(), ending(60, false)), 100);
    }

    @Test
    void pollInTheQueue_isLengthenedBeyondTheEndOfTheKey_neverBeforeIt() {
        assertJittered(() -> patience.pollPause(OPTIONS, ending(999, true)), 1_000);
    }

    @Test
    void safetyPoll_isLengthenedAtRandom_andByItsShareAtMost() {
        assertJittered(() -> patience.safetyPoll(OPTIONS), 2_000);
        assertJittered(() -> patience.pollPause(OPTIONS, ending(60_000, true)), 2_000);
    }

    @Test
    void backoff_isLengthenedAtRandom_andByItsShareAtMost() {
        assertJittered(() -> patience.backoff(OPTIONS, 1), 100);
        assertJittered(() -> patience.backoff(OPTIONS, 3), 400);
        assertJittered(() -> patience.backoff(OPTIONS, 100), 1_000);
    }

    @Test
    void withoutJitter_pausesAreExact() {
        assertThat(patience.pollPause(STEADY, FOR_EVER)).isEqualTo(nanos(100));
        assertThat(patience.pollPause(STEADY, ending(999, true))).isEqualTo(nanos(1_000));
        assertThat(patience.safetyPoll(STEADY)).isEqualTo(nanos(2_000));
        assertThat(patience.backoff(STEADY, 3)).isEqualTo(nanos(400));
    }

    @Test
    void poll_whenTheKeyEndsSooner_isNotLengthenedBeyondThat() {
        assertThat(patience.pollPause(OPTIONS, ending(60, false))).isEqualTo(nanos(61));
    }

    private static Contended ending(long millis, boolean queued) {
        return new Contended("another's", millis, false, queued);
    }

    private static LockOptions counted() {
        return OPTIONS.toBuilder().maxAttempts(3).build();
    }

    private static void assertJittered(LongSupplier pause, long millis) {
        LongSummaryStatistics pauses = LongStream.generate(pause).limit(1_000).summaryStatistics();
        assertThat(pauses.getMin()).as("never shorter").isGreaterThanOrEqualTo(nanos(millis));
        assertThat(pauses.getMax()).as("by its share at most").isLessThanOrEqualTo(nanos(millis) + share(millis));
        // Of a thousand, evenly spread: that none falls into the last tenth happens once in 10^45 runs.
        assertThat(pauses.getMax()).as("uses its share").isGreaterThan(nanos(millis) + share(millis) * 9 / 10);
        assertThat(pauses.getMin()).as("from nothing on").isLessThan(nanos(millis) + share(millis) / 10);
    }

    private static long share(long millis) {
        return (long) (nanos(millis) * JITTER);
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
