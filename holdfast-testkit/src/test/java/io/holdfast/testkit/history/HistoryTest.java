// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.testkit.history.Event.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
    private static final Event GRANT = new Event(-5, Kind.GRANTED, 4711, 17, "order:1", Long.MAX_VALUE, 1_995_000_000);

    @TempDir
    Path folder;

    @Test
    void parse_ofALine_givesTheEvent() {
        assertThat(Event.parse(GRANT.line())).isEqualTo(GRANT);
    }

    @Test
    void parse_ofAnythingElse_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Event.parse("1 granted 2 7 order:1 3"));
        assertThatIllegalArgumentException().isThrownBy(() -> Event.parse("1 granted 2 7 order:1 3 4 5"));
        assertThatIllegalArgumentException().isThrownBy(() -> Event.parse("1 granted 2 7 order:1 3 "));
        assertThatIllegalArgumentException().isThrownBy(() -> Event.parse("1 stolen 2 7 order:1 3 4"));
        assertThatIllegalArgumentException().isThrownBy(() -> Event.parse(""));
    }

    @Test
    void lock_thatWouldNotFitIntoALine_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> GRANT.withLock("order 1"));
        assertThatIllegalArgumentException().isThrownBy(() -> GRANT.withLock("order\n1"));
        assertThatIllegalArgumentException().isThrownBy(() -> GRANT.withLock("\u00fc"));
    }

    @Test
    void fault_ofAnEvent_isTheOneThatBegan() {
        Event begins = Event.of(Kind.FAULT_BEGINS, Fault.SERVER_PAUSED).withPid(7);
        assertThat(Event.parse(begins.line()).fault()).isEqualTo(Fault.SERVER_PAUSED);
        assertThatIllegalArgumentException().isThrownBy(GRANT::fault);
    }

    @Test
    void next_whileTheFileGrows_givesWhatIsComplete() throws IOException {
        Path file = folder.resolve("a" + History.SUFFIX);
        HistoryTail tail = new HistoryTail(file);
        assertThat(tail.next()).isEmpty();
        try (History history = History.create(file)) {
            history.record(GRANT);
            assertThat(tail.next()).containsExactly(GRANT);
            Files.writeString(file, GRANT.line().substring(0, 9), StandardOpenOption.APPEND);
            assertThat(tail.next()).isEmpty();
            Files.writeString(file, GRANT.line().substring(9) + "\n", StandardOpenOption.APPEND);
            assertThat(tail.next()).containsExactly(GRANT);
        }
    }

    @Test
    void readAll_leavesOutWhatWasNeverCompleted() throws IOException {
        Files.writeString(folder.resolve("a.history"), GRANT.line() + "\n" + GRANT.line());
        Files.writeString(folder.resolve("b.history"), GRANT.line() + "\n");
        Files.writeString(folder.resolve("b.err"), "no history");
        assertThat(History.readAll(folder)).containsExactly(GRANT, GRANT);
    }
}
