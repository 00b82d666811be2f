// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.benchmarks.Bars.Bar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BarsTest {
    private final Results results = new Results();

    @Test
    void ratio_isTheMedianOfTheRounds_notTheRatioOfMedians() {
        for (int round = 1; round <= 3; round++) {
            add(Entry.HOLDFAST_JEDIS, 6_000.0 * round, 0); // the machine got faster from round to round
            add(Entry.REDISSON, 100.0 * round, 0);
        }

        assertThat(bar("≥ 50 × redisson").met()).isTrue();
        assertThat(bar("≥ 50 × redisson").measured()).isEqualTo("60");
        assertThat(bar("Jain ≥ 0.9 between processes").met()).isTrue();
        assertThat(bar("≤ 0.5 client commands").met()).isFalse();
        assertThat(bar("p99 wait ≤ 1/15 of redisson's").met()).isFalse();
    }

    @Test
    void lockThatDidNotExclude_meetsNoBar() {
        add(Entry.HOLDFAST_JEDIS, 6_000, 1);
        add(Entry.REDISSON, 100, 0);

        assertThat(Bars.of(results)).isNotEmpty().noneMatch(Bar::met);
        assertThat(bar("≥ 50 × redisson").measured()).isEqualTo("60, but 1 overlaps");
    }

    @Test
    void charts_areDrawnOfWhatWasMeasured(@TempDir Path folder) throws IOException {
        add(Entry.HOLDFAST_JEDIS, 6_000, 0);
        add(Entry.REDISSON, 100, 0);

        assertThat(Charts.draw(results, folder)).contains("one-lock.svg").doesNotContain("own-locks.svg");
        assertThat(Files.readString(folder.resolve("one-lock.svg")))
                .contains("<svg")
                .contains("redisson");
    }

    private Bar bar(String demand) {
        return Bars.of(results).stream()
                .filter(bar -> bar.demand().equals(demand))
                .findFirst()
                .orElseThrow();
    }

    private void add(Entry entry, double perSecond, long overlaps) {
        Histogram waits = Share.histogram();
        waits.recordValue(1_000_000);
        results.add(
                Scenario.FOUR_BY_FOUR, entry, new Turn((long) perSecond, perSecond, waits, 2, 50, 100, 1, overlaps));
    }
}
