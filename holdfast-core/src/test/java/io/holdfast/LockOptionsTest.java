// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LockOptionsTest {
    private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

    private static Arguments bad(Consumer<LockOptions.Builder> change, String message) {
        return Arguments.of(change, message);
    }

    static Stream<Arguments> badOptions() {
        return Stream.of(
                bad(o -> o.ttl(Duration.ZERO), "ttl must be 1 ms to 24 h, was PT0S"),
                bad(o -> o.ttl(Duration.ofMillis(-1)), "ttl must be 1 ms to 24 h, was PT-0.001S"),
                bad(o -> o.ttl(Duration.ofNanos(999_999)), "ttl must be 1 ms to 24 h, was PT0.000999999S"),
                bad(o -> o.ttl(Duration.ofHours(24).plusMillis(1)), "ttl must be 1 ms to 24 h, was PT24H0.001S"),
                bad(o -> o.ttl(FOR_EVER), "ttl must be 1 ms to 24 h, was " + FOR_EVER),
                bad(o -> o.maxTtl(Duration.ZERO), "maxTtl must be 1 ms to 24 h, was PT0S"),
                bad(o -> o.tolerance(Duration.ofMillis(-1)), "tolerance must not be negative, was PT-0.001S"),
                bad(o -> o.tolerance(FOR_EVER), "tolerance must be at most 24 h, was " + FOR_EVER),
                bad(o -> o.wait(Duration.ofNanos(-1)), "wait must not be negative, was PT-0.000000001S"),
                bad(o -> o.maxElapsed(Duration.ofSeconds(-1)), "maxElapsed must not be negative, was PT-1S"),
                bad(o -> o.retryInterval(Duration.ZERO), "retryInterval must be positive, was PT0S"),
                bad(o -> o.retryInterval(Duration.ofMillis(-5)), "retryInterval must be positive, was PT-0.005S"),
                bad(o -> o.retryInterval(FOR_EVER), "retryInterval must be at most 24 h, was " + FOR_EVER),
                bad(o -> o.maxAttempts(0), "maxAttempts must be 1 to 2147483646, was 0"),
                bad(o -> o.maxAttempts(Integer.MAX_VALUE), "maxAttempts must be 1 to 2147483646, was 2147483647"),
                bad(o -> o.maxRetries(-1), "maxRetries must be 0 to 2147483646, was -1"),
                bad(o -> o.maxRetries(Integer.MAX_VALUE), "maxRetries must be 0 to 2147483646, was 2147483647"),
                bad(o -> o.jitter(-0.1), "jitter must be 0.0 to 1.0, was -0.1"),
                bad(o -> o.jitter(Double.NaN), "jitter must be 0.0 to 1.0, was NaN"),
                bad(o -> o.renewRatio(0), "renewRatio must be 0.01 to 0.9, was 0.0"),
                bad(o -> o.renewRatio(1), "renewRatio must be 0.01 to 0.9, was 1.0"),
                bad(o -> o.renewEvery(Duration.ZERO), "renewEvery must be at least 1 ms, was PT0S"),
                bad(o -> o.renewEvery(Duration.ofNanos(1)), "renewEvery must be at least 1 ms, was PT0.000000001S"),
                bad(o -> o.maxHold(Duration.ZERO), "maxHold must be positive, was PT0S"),
                bad(o -> o.limit(Duration.ofSeconds(-1)), "limit must be positive, was PT-1S"),
                bad(o -> o.label(" "), "label must not be blank"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("badOptions")
    void option_bad_isRefusedAtOnceAndSaysTheRuleAndWhatWasGiven(Consumer<LockOptions.Builder> change, String message) {
        LockOptions.Builder builder = LockOptions.builder();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> change.accept(builder))
                .withMessage(message);
    }

    static Stream<Arguments> contradictions() {
        return Stream.of(
                bad(
                        o -> o.ttl(Duration.ofSeconds(3)).renew(true).renewEvery(Duration.ofSeconds(3)),
                        "renewEvery must be shorter than the ttl PT3S, was PT3S"),
                bad(
                        o -> o.ttl(Duration.ofHours(24)).tolerance(Duration.ofMillis(1)),
                        "ttl + tolerance must be 1 ms to 24 h, was PT24H0.001S"),
                bad(
                        o -> o.maxTtl(Duration.ofHours(24)).tolerance(Duration.ofHours(1)),
                        "maxTtl + tolerance must be 1 ms to 24 h, was PT25H"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("contradictions")
    void options_thatContradictEachOther_areRefusedWhenBuilt(Consumer<LockOptions.Builder> change, String message) {
        LockOptions.Builder builder = LockOptions.builder();
        change.accept(builder);

        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessage(message);
    }

    static Stream<Arguments> nulls() {
        return Stream.of(
                bad(o -> o.ttl(null), "ttl"),
                bad(o -> o.maxTtl(null), "maxTtl"),
                bad(o -> o.tolerance(null), "tolerance"),
                bad(o -> o.wait((Duration) null), "wait"),
                bad(o -> o.maxElapsed(null), "maxElapsed"),
                bad(o -> o.retryInterval(null), "retryInterval"),
                bad(o -> o.renewEvery(null), "renewEvery"),
                bad(o -> o.maxHold(null), "maxHold"),
                bad(o -> o.limit(null), "limit"),
                bad(o -> o.onUnavailable(null), "onUnavailable"),
                bad(o -> o.label(null), "label"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("nulls")
    void option_null_isNamed(Consumer<LockOptions.Builder> change, String name) {
        LockOptions.Builder builder = LockOptions.builder();

        assertThatNullPointerException()
                .isThrownBy(() -> change.accept(builder))
                .withMessage(name + " must not be null");
    }

    @Test
    void ttl_atItsLimits_isFine() {
        assertThat(LockOptions.builder().ttl(Duration.ofMillis(1)).build().ttl())
                .isEqualTo(Duration.ofMillis(1));
        assertThat(LockOptions.builder().ttl(Duration.ofHours(24)).build().ttl())
                .isEqualTo(Duration.ofDays(1));
    }

    @Test
    void defaults_are30sRenewedEvery10sOneTryFenced() {
        LockOptions options = LockOptions.defaults();

        assertThat(options.ttl()).isEqualTo(Duration.ofSeconds(30));
        assertThat(options.renews()).isTrue();
        assertThat(options.renewInterval().truncatedTo(ChronoUnit.MILLIS)).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.retryInterval()).isEqualTo(Duration.ofMillis(100));
        assertThat(options.maxWait()).isEmpty();
        assertThat(options.fencing()).isTrue();
        assertThat(options.countsHolds()).isTrue();
        assertThat(options.onUnavailable()).isEqualTo(FailurePolicy.FAIL);
    }

    @Test
    void ttl_given_isFixedUnlessRenewalIsAskedFor() {
        Duration ttl = Duration.ofSeconds(10);
        assertThat(LockOptions.builder().ttl(ttl).build().renews()).isFalse();
        assertThat(LockOptions.builder().ttl(ttl).renew(true).build().renews()).isTrue();
        assertThat(LockOptions.builder().renew(false).build().renews()).isFalse();
    }

    @Test
    void retryInterval_under10ms_is10ms() {
        assertThat(LockOptions.builder()
                        .retryInterval(Duration.ofNanos(1))
                        .build()
                        .retryInterval())
                .isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void maxRetries_isTriesAfterTheFirst() {
        assertThat(LockOptions.builder().maxRetries(0).build().maxAttempts()).isEqualTo(1);
        assertThat(LockOptions.builder().maxRetries(2).build().maxAttempts()).isEqualTo(3);
        assertThat(LockOptions.builder().maxAttempts(3).build().maxAttempts()).isEqualTo(3);
    }

    @Test
    void toBuilder_changed_leavesTheOriginalAlone() {
        LockOptions first = LockOptions.builder().owner("request-1").build();
        LockOptions second = first.toBuilder().ttl(Duration.ofSeconds(1)).build();

        assertThat(first.ttl()).isEqualTo(Duration.ofSeconds(30));
        assertThat(second.owner()).contains("request-1");
        assertThat(second.renews()).isFalse();
    }

    @Test
    void margin_isATenthOfShortLeasesAndAboutAHundredthOfLongOnes() {
        assertThat(LeaseTerms.margin(Duration.ofMillis(10))).isEqualTo(Duration.ofMillis(1));
        assertThat(LeaseTerms.margin(Duration.ofSeconds(10))).isEqualTo(Duration.ofMillis(102));
    }

    @Test
    void toString_saysWhatMatters() {
        assertThat(LockOptions.builder()
                        .ttl(Duration.ofSeconds(10))
                        .wait(Duration.ofSeconds(1))
                        .maxAttempts(3)
                        .owner("request-1")
                        .fencing(false)
                        .build())
                .hasToString("LockOptions[ttl=PT10S, fixed, wait=PT1S, attempts=3, owner=request-1, unfenced]");
    }
}
