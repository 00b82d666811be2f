// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.spi.InMemoryBackend;
import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.RedisConnector;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys, of locks and of fenced values, and owner ids that are refused, on every way in, before anything is sent. */
class BadKeysTest {
    private static final Duration TTL = Duration.ofSeconds(10);

    @AutoClose
    private final Holdfast locks = Holdfast.builder()
            .backend(new InMemoryBackend(MonotonicClock.SYSTEM))
            .closeWait(Duration.ZERO)
            .build();

    static Stream<Arguments> badNames() {
        return Map.of(
                        "",
                        " must not be blank",
                        " \t ",
                        " must not be blank",
                        "\u3000",
                        " must not be blank",
                        "a".repeat(513),
                        " must be at most 512 bytes of UTF-8, was 513",
                        "订".repeat(171),
                        " must be at most 512 bytes of UTF-8, was 513",
                        "\uD83D\uDD12".repeat(129),
                        " must be at most 512 bytes of UTF-8, was 516",
                        "order:\0:1",
                        " has a control character (code 0) at index 6",
                        "order\n42",
                        " has a control character (code 10) at index 5",
                        "\u001b[31mred",
                        " has a control character (code 27) at index 0",
                        "tail\u0085",
                        " has a control character (code 133) at index 4")
                .entrySet()
                .stream()
                .map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void key_bad_isRefusedOnEveryWayInAndSaysWhy(String key, String rule) {
        assertRefused(() -> locks.tryLock(key, TTL), "lock key" + rule);
        assertRefused(() -> locks.withLock(key, TTL, () -> {}), "lock key" + rule);
        assertRefused(() -> locks.withLock(key, TTL, () -> 1), "lock key" + rule);
        assertRefused(() -> locks.lock(key), "lock key" + rule);
        assertRefused(() -> locks.lock(key, LockOptions.defaults()), "lock key" + rule);
        assertRefused(() -> locks.lock(key, options -> {}), "lock key" + rule);
        assertRefused(() -> locks.inspect(key), "lock key" + rule);
        assertRefused(() -> locks.forceRelease(key), "lock key" + rule);
        assertRefused(() -> locks.forceRelease(key, 1), "lock key" + rule);
    }

    @Test
    void key_null_isRefusedAndSaysWhatToDo() {
        String message = "lock key is null; give it the id it is to protect, e.g. order:42";
        assertRefused(() -> locks.tryLock(null, TTL), message);
        assertRefused(() -> locks.withLock(null, TTL, () -> {}), message);
        assertRefused(() -> locks.lock(null), message);
        assertRefused(() -> locks.inspect(null), message);
        assertRefused(() -> locks.forceRelease(null), message);
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void fencedKey_bad_isRefusedBeforeAnythingIsSentAndSaysWhy(String key, String rule) {
        FencedStore store = unreachable();
        assertRefused(() -> store.set(key, "100", 1), "fenced key" + rule);
        assertRefused(() -> store.get(key), "fenced key" + rule);
    }

    @Test
    void fencedKey_null_isRefusedAndSaysWhatToDo() {
        String message = "fenced key is null; give it the id of its value, e.g. balance:42";
        assertRefused(() -> unreachable().set(null, "100", 1), message);
        assertRefused(() -> unreachable().get(null), message);
    }

    /** On a connector that must not be asked. */
    private static FencedStore unreachable() {
        return new FencedStore(
                (RedisConnector) Proxy.newProxyInstance(
                        BadKeysTest.class.getClassLoader(),
                        new Class<?>[] {RedisConnector.class},
                        (proxy, method, args) -> {
                            throw new AssertionError(method.getName() + " was called");
                        }),
                null);
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void ownerId_bad_isRefusedAndSaysWhy(String owner, String rule) {
        assertRefused(() -> LockOptions.builder().owner(owner), "owner id" + rule);
    }

    @Test
    void ownerId_null_isRefusedAndSaysWhatToDo() {
        assertRefused(
                () -> LockOptions.builder().owner(null), "owner id is null; leave owner() out for a lock without one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"order:42", " padded ", "{tag}:1", "订单:42", "null", "a b", "#~:*?[]", "%00"})
    void key_unusualButFine_isTakenAsItIs(String key) {
        try (Lease lease = locks.tryLock(key, TTL).orElseThrow()) {
            assertThat(lease.key()).isEqualTo(key);
            assertThat(locks.inspect(key).isHeld()).isTrue();
        }
    }

    @Test
    void key_of512Bytes_isFine() {
        assertThat(locks.tryLock("a".repeat(512), TTL)).isPresent();
        assertThat(locks.tryLock("é".repeat(256), TTL)).isPresent();
    }

    @Test
    void keyPrefix_bad_isRefused() {
        assertRefused(
                () -> Holdfast.builder().keyPrefix("a\nb"), "keyPrefix has a control character (code 10) at index 1");
        assertRefused(() -> Holdfast.builder().lockSegment(" "), "lockSegment must not be blank");
    }

    private static void assertRefused(Call call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call::run).withMessage(message);
    }

    private interface Call {
        void run() throws Exception;
    }
}
