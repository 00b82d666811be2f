// SPDX-License-Identifier: Apache-2.0
package io.holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.model.Tlc.Model;
import io.holdfast.model.Tlc.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The protocol keeps its promises in every state of the model; without one of its rules it breaks the promise that rule is
 * there for. A check that has never refuted anything proves nothing, so the rows of README.md are what is tried here.
 */
@Execution(ExecutionMode.CONCURRENT)
class ProtocolModelTest {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| [^|]+ \\| `(\\w+)` \\| `(\\w+)` \\| `(\\w+)`, `(\\w+)` \\|");
    private static final Pattern RULE = Pattern.compile("Broken [=#] \"(\\w+)\"");

    @ParameterizedTest
    @CsvSource({
        "Lease, Lease, 40000",
        "Lease, LeaseRenewals, 20000",
        "HandOver, HandOver, 40000",
        "HandOver, HandOverInTheEnd, 10000",
        "HandOver, HandOverOfTwo, 200",
        "Fencing, Fencing, 10000"
    })
    void protocol_asItIs_keepsEveryPromise(
            String specification, String configuration, long leastStates, @TempDir Path folder) throws Exception {
        Verdict verdict = new Tlc(folder).check(new Model(specification, configuration));

        assertThat(verdict.sound()).as(verdict.output()).isTrue();
        assertThat(verdict.violated()).isEmpty();
        assertThat(verdict.states()).isGreaterThan(leastStates);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void protocol_withoutARule_breaksItsPromise(Row row, @TempDir Path folder) throws Exception {
        Verdict verdict = new Tlc(folder).check(row.model(), row.broken(), row.property());

        assertThat(verdict.violated()).as(verdict.output()).isEqualTo(row.property());
        assertThat(verdict.sound()).isFalse();
        assertThat(verdict.states()).isPositive();
    }

    @Test
    void rules_thatAModelCanLeaveOut_areAllTried() throws IOException {
        List<String> rules = new ArrayList<>();
        for (String specification : List.of("Lease", "HandOver", "Fencing")) {
            RULE.matcher(Tlc.text(specification + ".tla"))
                    .results()
                    .map(rule -> specification + " " + rule.group(1))
                    .filter(rule -> !rules.contains(rule))
                    .forEach(rules::add);
        }

        assertThat(rows().map(row -> row.model().specification() + " " + row.broken()))
                .containsExactlyInAnyOrderElementsOf(rules);
    }

    static Stream<Row> rows() throws IOException {
        return ROW.matcher(Files.readString(Path.of("README.md"))).results().map(Row::of);
    }

    record Row(Model model, String broken, String property) {
        static Row of(MatchResult line) {
            return new Row(new Model(line.group(3), line.group(4)), line.group(2), line.group(1));
        }
    }
}
