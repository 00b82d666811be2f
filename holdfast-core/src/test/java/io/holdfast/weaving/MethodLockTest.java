// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.BusyPolicy;
import io.holdfast.FailurePolicy;
import io.holdfast.Lock;
import io.holdfast.LockOptions;
import io.holdfast.LossPolicy;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** From the annotation to the options of a lock. */
class MethodLockTest extends WeavingBench {

    @SuppressWarnings("UnusedMethod") // found by name
    private static final class Annotations {
        @Lock("k")
        void defaults() {}

        @Lock(
                key = "k",
                ttlMs = 1_500,
                waitMs = 200,
                retryMs = 30,
                maxAttempts = 4,
                renew = true,
                maxHoldMs = 9_000,
                owner = "{id}",
                onBusy = BusyPolicy.FALLBACK,
                fallback = "f",
                onUnavailable = FailurePolicy.LOCAL,
                onLost = LossPolicy.WARN)
        void everything() {}

        @Lock(key = "k", maxAttempts = 3)
        void attempts() {}

        @Lock(key = "a", value = "b")
        void both() {}

        @Lock
        void neither() {}

        @Lock(
                key = "k",
                onUnavailable = {FailurePolicy.FAIL, FailurePolicy.PROCEED})
        void twoPolicies() {}
    }

    @Test
    void defaults_areThoseOfTheAnnotation_onTheManagersOwn() {
        LockOptions options = options(of("defaults"));

        assertThat(options.ttl()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.renews()).isFalse();
        assertThat(options.retryInterval()).isEqualTo(Duration.ofMillis(50));
        assertThat(options.label()).contains("k");
        assertThat(options.owner()).isEmpty();
        assertThat(options.onUnavailable()).isEqualTo(FailurePolicy.FAIL);
        assertThat(of("defaults").onBusy()).isEqualTo(BusyPolicy.THROW);
        assertThat(of("defaults").onLost()).isEqualTo(LossPolicy.THROW);
        assertThat(of("defaults").toString()).isEqualTo("@Lock(\"k\")");
    }

    @Test
    void builder_startsFromTheSameDefaults() {
        assertThat(options(MethodLock.key("k").build()))
                .hasToString(options(of("defaults")).toString());
    }

    @Test
    void everyElement_reachesTheOptions() {
        LockOptions options = options(of("everything"), "request-1");

        assertThat(options.ttl()).isEqualTo(Duration.ofMillis(1_500));
        assertThat(options.maxWait()).contains(Duration.ofMillis(200));
        assertThat(options.retryInterval()).isEqualTo(Duration.ofMillis(30));
        assertThat(options.maxAttempts()).isEqualTo(4);
        assertThat(options.renews()).isTrue();
        assertThat(options.maxHold()).contains(Duration.ofSeconds(9));
        assertThat(options.owner()).contains("request-1");
        assertThat(options.onUnavailable()).isEqualTo(FailurePolicy.LOCAL);
        assertThat(of("everything").fallback()).isEqualTo("f");
        assertThat(of("everything").onLost()).isEqualTo(LossPolicy.WARN);
    }

    @Test
    void attempts_withoutAWait_areNotEndedByAWaitOfZero() {
        LockOptions options = options(of("attempts"));

        assertThat(options.maxAttempts()).isEqualTo(3);
        assertThat(options.maxWait()).isEmpty();
    }

    @Test
    void keyAndValue_bothOrNeither_areRefused() {
        assertRefused("both", "it has a key and a value");
        assertRefused("neither", "it has no key");
        assertRefused("twoPolicies", "onUnavailable takes one answer");
    }

    @Test
    void elements_thatMakeNoSense_areRefused() {
        assertRefused("ttl must be 1 ms to 24 h, was PT0S", lock -> lock.ttlMs(0));
        assertRefused("ttl must be 1 ms to 24 h", lock -> lock.ttlMs(86_400_001));
        assertRefused("wait must not be negative", lock -> lock.waitMs(-1));
        assertRefused("wait must not be negative", lock -> lock.waitMs(-1).maxAttempts(2));
        assertRefused("retryInterval must be positive", lock -> lock.retryMs(0));
        assertRefused("maxAttempts must not be negative", lock -> lock.maxAttempts(-1));
        assertRefused("maxHoldMs is for a lease that is renewed", lock -> lock.maxHoldMs(5));
        assertRefused("maxHold must be positive", lock -> lock.renew(true).maxHoldMs(-5));
        assertRefused("needs the name of a method", lock -> lock.onBusy(BusyPolicy.FALLBACK, ""));
        assertRefused("needs onBusy = FALLBACK", lock -> lock.onBusy(BusyPolicy.SKIP, "f"));
        assertRefused("it is blank", lock -> lock.owner(" "));
    }

    @Test
    void check_keyThatTheManagerRefuses_isTold() {
        LockedMethod method = LockedMethod.of(
                "Shop.f", void.class, MethodLock.key("k").ttlMs(5).build());

        assertThat(method.check(locks)).isSameAs(method);
        assertThat(log).as("sent").isEmpty();
    }

    private static MethodLock of(String method) {
        try {
            Method annotated = Annotations.class.getDeclaredMethod(method);
            return MethodLock.of(annotated.getAnnotation(Lock.class));
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    private LockOptions options(MethodLock lock, Object... values) {
        return lock.resolve(locks, values, 0).options();
    }

    private static void assertRefused(String method, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> of(method)).withMessageContaining(message);
    }

    private static void assertRefused(String message, Consumer<MethodLock.Builder> change) {
        MethodLock.Builder builder = MethodLock.key("k");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> {
                    change.accept(builder);
                    builder.build();
                })
                .withMessageContaining(message);
    }
}
