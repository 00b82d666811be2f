// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.testkit.InMemoryLocks;
import io.holdfast.testkit.history.Event.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real leases written down. */
class OperationTest {
    private static final Duration TTL = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    @Test
    void holdsOneAfterTheOther_areRecordedSoThatTheyAreClean() {
        try (InMemoryLocks memory = InMemoryLocks.create();
                History history = History.create(folder.resolve("a" + History.SUFFIX))) {
            for (int i = 0; i < 3; i++) {
                Operation operation = history.next("order:1");
                operation.invoked(Duration.ZERO);
                Lease lease = memory.locks().lock("order:1", o -> o.ttl(TTL)).acquire();
                operation.granted(lease);
                assertThat(operation.check(lease)).isTrue();
                operation.writing(lease);
                operation.record(Kind.WRITTEN);
                operation.record(Kind.LEFT);
                operation.record(lease.release() ? Kind.RELEASED : Kind.LATE);
                assertThat(operation.check(lease)).isFalse();
            }
        }
        List<Event> events = History.readAll(folder);
        assertThat(events.subList(0, 7))
                .extracting(Event::kind)
                .containsExactly(
                        Kind.INVOKED, Kind.GRANTED, Kind.CHECKED, Kind.WRITING, Kind.WRITTEN, Kind.LEFT, Kind.RELEASED);
        assertThat(events).extracting(Event::op).containsOnly(1L, 2L, 3L);
        assertThat(events)
                .extracting(Event::pid)
                .containsOnly(ProcessHandle.current().pid());
        Findings findings = Checker.check(events, Settings.standard());
        assertThat(findings.holds()).as(String.join("\n", findings.lines())).isTrue();
        assertThat(findings.counts().grants()).isEqualTo(3);
    }

    @Test
    void lostLease_isRecordedWithTheValidityKnownLast() {
        try (InMemoryLocks memory = InMemoryLocks.create();
                History history = History.create(folder.resolve("a" + History.SUFFIX))) {
            Operation operation = history.next("order:1");
            Lease lease = memory.locks().lock("order:1", o -> o.ttl(TTL)).acquire();
            operation.granted(lease);
            lease.onLost(reason -> operation.lost());
            memory.expire("order:1");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> History.readAll(folder).size() == 2);
        }
        List<Event> events = History.readAll(folder);
        assertThat(events).extracting(Event::kind).containsExactly(Kind.GRANTED, Kind.LOST);
        assertThat(events.get(1).value()).isEqualTo(events.get(0).value());
        assertThat(events.get(1).token()).isEqualTo(events.get(0).token()).isPositive();
    }
}
