// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.benchmarks.Statistics.Spread;
import java.util.List;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class StatisticsTest {

    @Test
    void spread_isTheMedianAndTheEnds() {
        assertThat(Statistics.spread(DoubleStream.of(7.0, 0.5, 0.9))).isEqualTo(new Spread(0.9, 0.5, 7.0));
        assertThat(Statistics.spread(DoubleStream.of(1.0, 0.8)).median()).isCloseTo(0.9, within(1e-9));
        assertThat(Statistics.spread(DoubleStream.empty()).median()).isNaN();
    }

    @Test
    void jain_isOneForEqualsAndOneNthForOneWhoGotAll() {
        assertThat(Statistics.jain(List.of(5L, 5L, 5L, 5L))).isEqualTo(1.0);
        assertThat(Statistics.jain(List.of(9L, 0L, 0L, 0L))).isEqualTo(0.25);
        assertThat(Statistics.jain(List.of(1L, 2L, 3L))).isCloseTo(36.0 / (3 * 14), within(1e-9));
        assertThat(Statistics.jain(List.of(0L, 0L))).isNaN();
    }

    @Test
    void shares_ofProcesses_surviveTheirJourneyAndAddUp() {
        Share one = Share.of(List.of(part(3, 1_000), part(5, 2_000)), 70);
        Share other = Share.fromLine(Share.of(List.of(part(8, 9_000_000)), 30).toLine());

        Turn turn = Turn.of(List.of(Share.fromLine(one.toLine()), other), new Turn.Window(2, 32, 160), 0);

        assertThat(turn.grants()).isEqualTo(16);
        assertThat(turn.perSecond()).isEqualTo(8);
        assertThat(turn.commands()).isEqualTo(2);
        assertThat(turn.serverMicros()).isEqualTo(10);
        assertThat(turn.jain()).isEqualTo(1);
        assertThat(turn.waits().getTotalCount()).isEqualTo(16);
        assertThat(turn.waits().getValueAtPercentile(50)).isBetween(2_000L, 2_002L);
        assertThat(turn.waits().getMaxValue()).isBetween(9_000_000L, 9_010_000L);
    }

    @Test
    void fairness_ofOneProcess_isThatOfItsThreads() {
        Share share = Share.of(List.of(part(9, 1), part(0, 1)), 0);

        assertThat(Turn.of(List.of(share), new Turn.Window(1, 0, 0), 0).jain()).isEqualTo(0.5);
    }

    private static Share.Part part(int grants, long wait) {
        Histogram waits = Share.histogram();
        waits.recordValueWithCount(wait, grants);
        return new Share.Part(grants, waits);
    }
}
