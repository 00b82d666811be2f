// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final int ALL = Ordeal.all().size();

    private static List<Schedule.Step> steps(long seed) {
        return Stream.generate(new Schedule(Ordeal.all(), seed)::next)
                .limit(3L * ALL)
                .toList();
    }

    @Test
    void schedule_ofTheSameSeed_isTheSame() {
        assertThat(steps(7)).isEqualTo(steps(7)).isNotEqualTo(steps(8));
    }

    @Test
    void schedule_bringsEveryOrdealBeforeAnyComesAgain() {
        List<Ordeal> order = steps(7).stream().map(Schedule.Step::ordeal).toList();
        assertThat(order.subList(0, ALL)).containsExactlyInAnyOrderElementsOf(Ordeal.all());
        assertThat(order.subList(ALL, 2 * ALL))
                .containsExactlyInAnyOrderElementsOf(Ordeal.all())
                .isNotEqualTo(order.subList(0, ALL));
    }

    @Test
    void schedule_keepsToTheTimesOfAnOrdeal() {
        assertThat(steps(7))
                .allSatisfy(step -> assertThat(step.lastsNanos() / 1_000_000)
                        .isBetween((long) step.ordeal().shortestMillis(), (long)
                                step.ordeal().longestMillis()));
    }
}
