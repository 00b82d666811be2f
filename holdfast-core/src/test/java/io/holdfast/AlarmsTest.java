// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.RedisConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AlarmsTest {
    /** So long that only the moved clock can have made an alarm ring. */
    private static final Duration HOUR = Duration.ofHours(1);

    private final HandClock clock = new HandClock(Long.MAX_VALUE - HOUR.toNanos()); // wraps under the tests' feet
    private final Alarms alarms = new Alarms(clock);
    private final Queue<String> rung = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        alarms.close();
    }

    @Test
    void alarms_ringInOrderOnceTheirTimeHasCome() {
        alarms.set(alarm("third"), in(3));
        alarms.set(alarm("first"), in(1));
        alarms.set(alarm("second"), in(2));

        clock.advance(HOUR.multipliedBy(2));
        awaitRung("first", "second");
        clock.advance(HOUR);
        awaitRung("first", "second", "third");
    }

    @Test
    void cancel_beforeItsTime_neverRings() {
        Alarms.Alarm cancelled = alarm("cancelled");
        alarms.set(cancelled, in(1));
        alarms.set(alarm("other"), in(2));

        assertThat(alarms.cancel(cancelled)).isTrue();
        assertThat(alarms.cancel(cancelled)).isFalse();
        clock.advance(HOUR.multipliedBy(2));

        awaitRung("other");
    }

    @Test
    void set_again_movesItAndRingsOnce() {
        Alarms.Alarm alarm = alarm("moved");
        alarms.set(alarm, in(1));
        alarms.set(alarm, in(3));
        alarms.set(alarm("mark"), in(2));

        clock.advance(HOUR.multipliedBy(2));
        awaitRung("mark");
        clock.advance(HOUR);
        awaitRung("mark", "moved");
        assertThat(alarms.cancel(alarm)).as("it has rung").isFalse();
    }

    @Test
    void ring_throws_othersStillRing() {
        alarms.set(
                Alarms.Alarm.of(() -> {
                    throw new IllegalStateException("a bug");
                }),
                in(1));
        alarms.set(alarm("next"), in(1));

        clock.advance(HOUR);

        awaitRung("next");
    }

    @Test
    void ring_maySetItselfAgain() {
        Alarms.Alarm[] self = new Alarms.Alarm[1];
        self[0] = Alarms.Alarm.of(() -> {
            rung.add("tick");
            alarms.set(self[0], in(1));
        });
        alarms.set(self[0], in(1));

        for (int i = 1; i <= 3; i++) {
            clock.advance(HOUR);
            int ticks = i;
            await().until(() -> rung.size() == ticks);
        }
    }

    @Test
    void set_earlierThanWhatTheTimerSleepsFor_wakesIt() {
        try (Alarms real = new Alarms(MonotonicClock.SYSTEM)) {
            real.set(alarm("late"), System.nanoTime() + Duration.ofHours(1).toNanos());
            real.set(alarm("early"), System.nanoTime() + Duration.ofMillis(20).toNanos());

            awaitRung("early");
        }
    }

    @Test
    void within_noAnswer_failsAtTheLimitAndLeavesTheStageAlone() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> limited = alarms.within(stage, HOUR.toNanos(), "acquire");

        clock.advance(HOUR);

        assertThat(limited)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(RedisConnectionException.class)
                .withMessageContaining("no reply to acquire within 3600000 ms");
        assertThat(stage).isNotDone();
    }

    @Test
    void within_answerInTime_isTheAnswerAndTheLimitIsForgotten() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> limited = alarms.within(stage, HOUR.toNanos(), "acquire");

        stage.complete("OK");
        clock.advance(HOUR);

        assertThat(limited.join()).isEqualTo("OK");
    }

    @Test
    void within_failure_isPassedOn() {
        CompletableFuture<String> stage = new CompletableFuture<>();
        CompletableFuture<String> limited = alarms.within(stage, HOUR.toNanos(), "acquire");

        stage.completeExceptionally(new IllegalStateException("no"));

        assertThatThrownBy(limited::join).hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void close_endsTheThread() {
        HandClock own = new HandClock();
        Alarms closed = new Alarms(own);
        closed.set(alarm("never"), HOUR.toNanos());
        closed.close();
        own.advance(HOUR.multipliedBy(2));

        alarms.set(alarm("mark"), in(0));
        awaitRung("mark");
    }

    private Alarms.Alarm alarm(String name) {
        return Alarms.Alarm.of(() -> rung.add(name));
    }

    private long in(int hours) {
        return clock.nanoTime() + HOUR.multipliedBy(hours).toNanos();
    }

    private void awaitRung(String... names) {
        await().untilAsserted(() -> assertThat(List.copyOf(rung)).containsExactly(names));
    }
}
