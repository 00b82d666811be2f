// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Iterator;
import java.util.Spliterators;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Long runs are worth something only if they can be checked. */
class MillionHoldsTest {
    private static final int LOCKS = 20;
    private static final int HOLDS = 1_000_000;

    /** Processor time, for the machine may be busy with other things. */
    @Test
    void aMillionHolds_areCheckedInSeconds() {
        ThreadMXBean processor = ManagementFactory.getThreadMXBean();
        long begun = processor.getCurrentThreadCpuTime();
        Findings findings = Checker.check(MillionHoldsTest::events, Story.STRICT);
        Duration took = Duration.ofNanos(processor.getCurrentThreadCpuTime() - begun);
        assertThat(findings.holds()).as(String.join("\n", findings.lines())).isTrue();
        assertThat(findings.counts().sections()).isEqualTo(HOLDS);
        assertThat(took).isLessThan(Duration.ofSeconds(30)); // it is about 5 s
    }

    static Iterator<Event> events() {
        return IntStream.range(0, LOCKS)
                .mapToObj(i -> new SimulatedLock("order:" + i, 1 + i * 1_000_000L, i, HOLDS / LOCKS))
                .flatMap(lock -> StreamSupport.stream(Spliterators.spliteratorUnknownSize(lock, 0), false))
                .iterator();
    }
}
