// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.ClockCheck.Reading;
import io.holdfast.spi.RedisAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What no server at hand can show: other versions, other clocks, a Sentinel. */
class DoctorJudgementTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "redis,5.0.14,FAIL",
        "redis,6.0.20,FAIL",
        "redis,6.2.0,OK",
        "redis,7.0.15,OK",
        "redis,8.6.3,OK",
        "redis,10.0.0,OK",
        "valkey,7.2.4,WARN",
        "valkey,8.0.1,OK",
        "valkey,9.1.2,OK",
        "dragonfly,1.30,WARN",
        "redis,unstable,WARN"
    })
    void version_isJudged(String product, String version, Finding.Level level) {
        Finding finding = ServerChecks.version(product, version);
        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.line()).contains(product + " " + version);
    }

    @Test
    void sentinel_fails() {
        try (Patient nobody = new Patient(RedisAddress.of("127.0.0.1", 1), "holdfast")) {
            Finding finding = ServerChecks.role(nobody, Map.of("mode", "sentinel", "role", "sentinel"));
            assertThat(finding.level()).isEqualTo(Finding.Level.FAIL);
            assertThat(finding.line()).contains("Sentinel", "give the primary's address");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0,     2,    OK", // as good as it gets
        "900,   2,    OK",
        "-900,  2,    OK",
        "1100,  2,    WARN",
        "-1100, 2,    WARN",
        "1900,  2000, OK", // one way may have taken all of the 2 s
        "-1900, 2000, OK",
        "2100,  2000, WARN"
    })
    void clock_isJudgedByWhatTheRoundTripLeavesSure(long offsetMillis, long roundTripMillis, Finding.Level level) {
        Duration roundTrip = Duration.ofMillis(roundTripMillis);
        Instant server = NOW.plus(roundTrip.dividedBy(2)).plusMillis(offsetMillis);
        Reading reading = Reading.of(NOW, roundTrip, server);

        assertThat(reading.offset()).isEqualTo(Duration.ofMillis(offsetMillis));
        Finding finding = ClockCheck.judge(reading, server, null);
        assertThat(finding.level()).isEqualTo(level);
        assertThat(finding.text()).contains(offsetMillis < 0 ? " behind this machine's" : " ahead of this machine's");
    }

    @ParameterizedTest
    @CsvSource({"-5000,OK", "900,OK", "1100,WARN"})
    void fence_aheadOfTheServersClock_isJudged(long aheadMillis, Finding.Level level) {
        Reading good = new Reading(Duration.ZERO, Duration.ofMillis(1));
        Instant fence = NOW.plusMillis(aheadMillis);
        assertThat(ClockCheck.judge(good, NOW, fence).level()).isEqualTo(level);
    }

    @Test
    void fenceBase_isMicroseconds() {
        assertThat(ClockCheck.lastFence("1794779587732707"))
                .isEqualTo(Instant.ofEpochSecond(1_794_779_587L, 732_707_000));
        assertThat(ClockCheck.lastFence("x")).isNull();
        assertThat(ClockCheck.lastFence(null)).isNull();
    }

    @Test
    void serversOwnWords_reachTheTerminalHarmless() {
        assertThat(Finding.warn("role", "\033[2J", "").line()).doesNotContain("\033");
    }
}
