// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FindingsTest {
    @Test
    void lines_ofACleanRun_haveOneForEachPropertyAndSayOk() {
        Findings findings = new Story().hold(1, 10, 0, 100).check();
        assertThat(findings.lines()).hasSize(2 + Property.values().length);
        assertThat(findings.lines().get(0)).contains("1 grants");
        assertThat(findings.lines()).last().asString().startsWith("OK");
    }

    @Test
    void lines_ofManyViolations_showTheFirstFew() {
        Story story = new Story().hold(1, 10, 1_000, 2_000);
        for (int i = 1; i <= 20; i++) {
            story.hold(2, 10 + i, 1_000 + i, 1_000 + i + 1);
        }
        Findings findings = story.check();
        assertThat(findings.lines())
                .anyMatch(line -> line.contains("P2 one holder") && line.contains("BROKEN 20 times"))
                .anyMatch(
                        line -> line.contains(
                                "order:1: two holders at 1.000 ms, 1.000 ms: pid 1 op 10 token 10 from 0.000 ms until 1,000.000 ms"))
                .anyMatch(line -> line.contains("and 10 more"))
                .last()
                .asString()
                .startsWith("FAILED");
    }

    @Test
    void leftovers_areAViolation() {
        Findings findings = new Story().hold(1, 10, 0, 100).check();
        assertThat(findings.with(Leftovers.NONE).holds()).isTrue();
        Findings leaking = findings.with(new Leftovers(0, 0, 0, 1));
        assertThat(leaking.holds()).isFalse();
        assertThat(leaking.lines())
                .anyMatch(line -> line.contains("P5") && line.contains("BROKEN") && line.contains("1 threads"));
    }

    @Test
    void check_ofAFolder_isThatOfItsRecords(@TempDir Path folder) {
        Story story = new Story().hold(1, 10, 100, 200).hold(2, 11, 199, 300);
        for (int pid = 1; pid <= 2; pid++) {
            long of = pid;
            try (History history = History.create(folder.resolve(pid + History.SUFFIX))) {
                story.events.stream().filter(event -> event.pid() == of).forEach(history::record);
            }
        }
        assertThat(Checker.check(folder, Story.STRICT)).isEqualTo(story.check());
    }
}
