// SPDX-License-Identifier: Apache-2.0
package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Prometheus' own tool on the rules, their unit tests and the dashboard's queries. It is looked for in
 * {@value #VARIABLE}, then on the path.
 */
class PromtoolTest {
    private static final String VARIABLE = "HOLDFAST_PROMTOOL";

    private static String promtool = "";

    @TempDir
    private Path folder;

    @BeforeAll
    static void find() {
        Optional<String> found = Optional.ofNullable(System.getenv(VARIABLE))
                .or(() -> Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .map(place -> Path.of(place, "promtool"))
                        .filter(Files::isExecutable)
                        .map(Path::toString)
                        .findFirst());
        String missing = "the Prometheus rules were NOT checked: there is no promtool on the path, nor in " + VARIABLE
                + "; it is in Debian's package prometheus";
        if (found.isEmpty()) {
            LoggerFactory.getLogger(PromtoolTest.class).warn(missing);
        }
        Assumptions.assumeTrue(found.isPresent(), missing);
        promtool = found.get();
    }

    @Test
    void rules_areValid() throws Exception {
        copy(PrometheusFiles.RULES);

        run("check", "rules", PrometheusFiles.RULES);
    }

    @Test
    void rules_passTheirUnitTests() throws Exception {
        copy(PrometheusFiles.RULES);
        copy(PrometheusFiles.RULES_TEST);

        run("test", "rules", PrometheusFiles.RULES_TEST);
    }

    /** A file of rules that record each query is refused unless each of them parses. */
    @Test
    void dashboard_everyQueryParses() throws Exception {
        StringBuilder rules = new StringBuilder("groups: [{name: dashboard, rules: [\n");
        List<String> queries = PrometheusFiles.panelQueries();
        for (int i = 0; i < queries.size(); i++) {
            String quoted = queries.get(i).replace("'", "''");
            rules.append("{record: query")
                    .append(i)
                    .append(", expr: '")
                    .append(quoted)
                    .append("'},\n");
        }
        Files.writeString(folder.resolve("dashboard.yml"), rules.append("]}]\n"));

        assertThat(run("check", "rules", "dashboard.yml")).contains(queries.size() + " rules found");
    }

    private void copy(String name) throws IOException {
        Files.writeString(folder.resolve(name), PrometheusFiles.read(name));
    }

    private String run(String... arguments) throws Exception {
        List<String> command =
                Stream.concat(Stream.of(promtool), Stream.of(arguments)).toList();
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
