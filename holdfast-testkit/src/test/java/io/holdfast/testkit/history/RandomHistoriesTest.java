// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testkit.history.Event.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Histories without fault must be found clean; with one violation planted somewhere, that one must be found. */
class RandomHistoriesTest {
    private static final int RUNS = 40;
    private static final int HOLDS = 300;

    @Test
    void historiesOfALockThatKeepsItsPromises_areClean() {
        for (long seed = 0; seed < RUNS; seed++) {
            Findings findings = Checker.check(history(seed), Story.STRICT);
            assertThat(findings.holds())
                    .as("seed " + seed + "\n" + String.join("\n", findings.lines()))
                    .isTrue();
            assertThat(findings.counts().grants()).isGreaterThanOrEqualTo(3 * HOLDS);
            assertThat(findings.worst().free()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatIsPlanted_isFound(Spoiler.Plant plant) {
        for (long seed = 0; seed < RUNS; seed++) {
            List<Event> events = history(seed);
            plant.into(events, seed);
            Findings findings = Checker.check(events, Story.STRICT);
            assertThat(findings.violations(plant.broken))
                    .as("seed " + seed + "\n" + String.join("\n", findings.lines()))
                    .isNotEmpty();
        }
    }

    /** Three locks, one after the other, as the files of different processes are read. */
    private static List<Event> history(long seed) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            new SimulatedLock("order:" + i, 1 + i * 10_000, seed * 3 + i, HOLDS).forEachRemaining(events::add);
        }
        // The run goes on after the last hold: what has not ended by then is late.
        long last = events.stream().mapToLong(Event::nanos).max().orElseThrow();
        events.add(new Event(last + Story.nanos(20_000), Kind.READY, Spoiler.STRANGER, 0, Event.NO_LOCK, 0, 0));
        return events;
    }
}
