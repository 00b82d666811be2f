// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.spi.RedisReplyException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Whether the server's clock can be right: beside this machine's, and beside the last fencing token it issued. */
final class ClockCheck {
    private static final String WHY = "; nothing depends on this machine's clock, and on the server's only that fencing"
            + " tokens rise after data was lost";
    private static final Duration MOST = Duration.ofSeconds(1);
    private static final int SAMPLES = 5;

    private ClockCheck() {}

    /**
     * One reading of the server's clock.
     *
     * @param offset how far it is ahead of this machine's, if both ways took equally long
     * @param error how wrong that can be: half the round trip
     */
    record Reading(Duration offset, Duration error) {
        static Reading of(Instant sent, Duration roundTrip, Instant server) {
            Duration half = roundTrip.dividedBy(2);
            return new Reading(Duration.between(sent.plus(half), server), half);
        }

        /** Whether the clocks differ by more than that, however long each way took. */
        boolean exceeds(Duration most) {
            return offset.abs().minus(error).compareTo(most) > 0;
        }
    }

    static Finding look(Patient patient) {
        Reading best = read(patient);
        for (int i = 1; i < SAMPLES; i++) {
            Reading next = read(patient);
            best = next.error().compareTo(best.error()) < 0 ? next : best;
        }
        Instant server = time(patient.ask("TIME"));
        try {
            return judge(
                    best, server, lastFence(patient.ask("GET", patient.name().fenceKey())));
        } catch (RedisReplyException e) {
            if (!e.code().equals("WRONGTYPE")) {
                throw e;
            }
            String key = patient.name().fenceKey();
            return Finding.fail(
                    "clock",
                    key + " is not the fence counter, so no fenced lock can be taken: " + e.getMessage(),
                    "DEL " + key);
        }
    }

    static Finding judge(Reading reading, Instant server, @Nullable Instant lastFence) {
        if (lastFence != null && Duration.between(server, lastFence).compareTo(MOST) > 0) {
            return Finding.warn(
                    "clock",
                    "the last fencing token is " + seconds(Duration.between(server, lastFence))
                            + " ahead of the server's clock, which must have stepped back: tokens rise all the same, but"
                            + " would not if data were lost now",
                    "let NTP slew the clock, not step it");
        }
        String found = seconds(reading.offset().abs()) + (reading.offset().isNegative() ? " behind" : " ahead of")
                + " this machine's, give or take " + seconds(reading.error()) + WHY;
        return reading.exceeds(MOST)
                ? Finding.warn("clock", found, "compare both with NTP: chronyc tracking, timedatectl")
                : Finding.ok("clock", found);
    }

    /** Fence bases are the server's microseconds. */
    static @Nullable Instant lastFence(@Nullable Object base) {
        return base instanceof String text && text.matches("\\d{16}")
                ? Instant.EPOCH.plus(Long.parseLong(text), ChronoUnit.MICROS)
                : null;
    }

    private static Reading read(Patient patient) {
        Instant sent = Instant.now();
        long began = System.nanoTime();
        Object reply = patient.ask("TIME");
        return Reading.of(sent, Duration.ofNanos(System.nanoTime() - began), time(reply));
    }

    private static Instant time(@Nullable Object reply) {
        if (reply instanceof List<?> parts && parts.size() == 2) {
            return Instant.ofEpochSecond(Long.parseLong(String.valueOf(parts.get(0))))
                    .plus(Long.parseLong(String.valueOf(parts.get(1))), ChronoUnit.MICROS);
        }
        throw new RedisReplyException("TIME answers " + reply);
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.3f s", time.toNanos() / 1e9);
    }
}
