// SPDX-License-Identifier: Apache-2.0
package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import io.holdfast.Holdfast;
import io.holdfast.LockOptions;
import io.holdfast.spi.RedisAddress;
import io.holdfast.testkit.HoldfastTest;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever the rules and the dashboard ask for is in a real scrape after real use of a lock. */
@HoldfastTest
class PrometheusFilesTest {
    /** {@code docs/metrics.md} names this number. */
    private static final int SERIES_PER_LABEL = 57;

    private static final Pattern SAMPLE = Pattern.compile("(?m)^(holdfast_\\w+)");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)!?=\"(\\w+)\"");

    private String scrape;

    @BeforeEach
    void useALock(RedisAddress server) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        LockMetrics metrics = new LockMetrics(registry);
        try (Holdfast locks =
                Holdfast.builder().address(server).listener(metrics).build()) {
            metrics.bindTo(locks);
            LockOptions options = LockOptions.builder()
                    .ttl(Duration.ofSeconds(10))
                    .label("order:{id}")
                    .build();
            locks.lock("order:4711", options).withLock(() -> {});
            scrape = registry.scrape();
        }
    }

    @Test
    void rules_askForMetricsThatExist() {
        Set<String> known = new TreeSet<>(scraped());
        known.addAll(PrometheusFiles.recorded());

        assertThat(PrometheusFiles.metrics(PrometheusFiles.rules()))
                .hasSizeGreaterThan(8)
                .isSubsetOf(known);
    }

    @Test
    void rules_recordTheFourFigures() {
        assertThat(PrometheusFiles.recorded())
                .containsExactlyInAnyOrder(
                        "lock_acquire_success_rate",
                        "lock_acquire_duration",
                        "lock_hold_duration",
                        "lock_hold_over_80_percent_share",
                        "lock_release_failure_rate");
    }

    @Test
    void rules_everyAlertIsTestedBothWays() {
        String tests = PrometheusFiles.read(PrometheusFiles.RULES_TEST);

        assertThat(PrometheusFiles.found(Pattern.compile("alert: (\\w+)"), PrometheusFiles.rules(), 1))
                .hasSize(4)
                .allSatisfy(alert -> assertThat(tests)
                        .contains("{alertname: " + alert + ", eval_time: 15m, exp_alerts: []}")
                        .containsPattern("alertname: " + alert + "\\s+eval_time: 15m\\s+exp_alerts:\\s+- exp_labels"));
    }

    @Test
    void dashboard_asksForMetricsThatExist() {
        Set<String> known = new TreeSet<>(scraped());
        known.addAll(PrometheusFiles.recorded());
        List<String> queries = PrometheusFiles.dashboardQueries();

        assertThat(queries)
                .hasSizeGreaterThan(10)
                .allSatisfy(query ->
                        assertThat(PrometheusFiles.metrics(query)).isNotEmpty().isSubsetOf(known));
    }

    @Test
    void dashboard_showsEveryFigure() {
        assertThat(PrometheusFiles.metrics(String.join("\n", PrometheusFiles.panelQueries())))
                .containsAll(PrometheusFiles.recorded())
                .contains("holdfast_lock_held_leases", "holdfast_lock_waiting_acquires", "holdfast_lock_lost_total");
    }

    @Test
    void dashboard_everyPanelSaysWhatItShows() {
        assertThat(PrometheusFiles.dashboard().getAsJsonArray("panels"))
                .extracting(JsonElement::getAsJsonObject)
                .allSatisfy(panel -> {
                    assertThat(panel.get("title").getAsString()).isNotBlank();
                    assertThat(panel.get("description").getAsString()).isNotBlank();
                });
    }

    @Test
    void queries_filterByTagsThatExist() {
        String queries = PrometheusFiles.rules() + String.join("\n", PrometheusFiles.dashboardQueries());
        Set<String> asked = MATCHER.matcher(queries)
                .results()
                .map(match -> match.group(1) + "=\"" + match.group(2) + "\"")
                .collect(Collectors.toSet());

        assertThat(asked)
                .contains("outcome=\"acquired\"")
                .allSatisfy(tag -> assertThat(scrape).contains(tag));
    }

    @Test
    void scrape_hasAFixedNumberOfSeriesForALabel_andNoKey() {
        assertThat(scrape.lines().filter(line -> line.contains("lock=\"order:{id}\"")))
                .hasSize(SERIES_PER_LABEL);
        assertThat(scrape).doesNotContain("4711");
    }

    @Test
    void scrape_hasBucketsToComputeThePercentilesFrom() {
        assertThat(scrape)
                .contains("holdfast_lock_acquire_seconds_bucket{lock=\"order:{id}\",outcome=\"acquired\",le=\"0.5\"} 1")
                .contains("holdfast_lock_hold_seconds_bucket{lock=\"order:{id}\",le=\"60.0\"} 1");
    }

    private Set<String> scraped() {
        return PrometheusFiles.found(SAMPLE, scrape, 1);
    }
}
