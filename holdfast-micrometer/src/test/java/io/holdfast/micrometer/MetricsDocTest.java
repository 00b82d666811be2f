// SPDX-License-Identifier: Apache-2.0
package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/metrics.md} names every meter, figure and alert, and its snippet is the one below. */
class MetricsDocTest {
    private static final Path MODULE = Path.of("").toAbsolutePath();
    private static final Path SOURCE = Path.of("src/test/java/io/holdfast/micrometer/MetricsDocTest.java");

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final ObservationRegistry observations = ObservationRegistry.create();

    @Test
    void snippet_builds() {
        LockMetrics metrics = new LockMetrics(meters);
        Holdfast locks = Holdfast.builder()
                .uri("redis://localhost:6379")
                .listener(metrics)
                .listener(new LockObservations(observations))
                .build();
        metrics.bindTo(locks); // the gauges need what was built

        assertThat(meters.get("holdfast.lock.held").gauge().value()).isZero();
        locks.close();
    }

    @Test
    void snippet_isTheOneAbove() throws IOException {
        Matcher snippet = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL).matcher(doc());

        assertThat(snippet.find()).isTrue();
        assertThat(squeezed(Files.readString(SOURCE))).contains(squeezed(snippet.group(1)));
    }

    @Test
    void everyMeter_isNamed() throws IOException {
        LabelMeters unused = new LabelMeters(meters, Tags.empty());
        String doc = doc();

        assertThat(meters.getMeters())
                .extracting(Meter::getId)
                .filteredOn(id -> id.syntheticAssociation() == null) // buckets, in this registry
                .hasSizeGreaterThan(10)
                .allSatisfy(id -> assertThat(doc).contains("`" + id.getName() + "`"));
    }

    @Test
    void everyFigureAndAlert_isNamed() throws IOException {
        Set<String> alerts = PrometheusFiles.found(Pattern.compile("alert: (\\w+)"), PrometheusFiles.rules(), 1);

        assertThat(doc()).contains(PrometheusFiles.recorded()).contains(alerts);
    }

    private static String doc() throws IOException {
        return Files.readString(MODULE.resolveSibling("docs").resolve("metrics.md"));
    }

    private static String squeezed(String text) {
        return text.replaceAll("\\s+", "");
    }
}
