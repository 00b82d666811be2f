// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.spi.InMemoryBackend;
import io.holdfast.spi.RedisCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who knows a token can release the lock: nothing that ends up in a log or on a screen shows a whole one. */
class SecretsTest {
    private static final String KEY = "order:42";
    private static final Duration TTL = Duration.ofSeconds(10);

    private final HandClock clock = new HandClock();
    private final Holdfast locks = Holdfast.builder()
            .backend(new InMemoryBackend(clock))
            .clock(clock)
            .closeWait(Duration.ZERO)
            .build();

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void toString_showsSixCharactersOfTheTokenAtMost() {
        DistributedLock lock = locks.lock(KEY);
        lock.lock();
        Lease lease = lock.currentLease().orElseThrow();

        assertThat(lease.toString())
                .contains(KEY, lease.token().substring(0, 6))
                .doesNotContain(lease.token().substring(0, 7));
        assertNoToken(lease, List.of(lock, locks, lock.options(), locks.inspect(KEY)));
        lock.unlock();
        assertThat(lease.toString())
                .contains("not held")
                .doesNotContain(lease.token().substring(0, 7));
    }

    @Test
    void exceptions_showNoToken() {
        Lease lease = locks.tryLock(KEY, TTL).orElseThrow();
        Throwable busy = catchThrowable(() -> locks.withLock(KEY, TTL, () -> {}));
        Throwable tooLong = catchThrowable(() -> lease.renew(Duration.ofHours(1)));
        clock.advance(TTL);
        Throwable lost = catchThrowable(lease::ensureHeld);

        assertThat(busy).isInstanceOf(LockNotAcquiredException.class);
        assertThat(tooLong).isInstanceOf(IllegalArgumentException.class);
        assertThat(lost).isInstanceOf(LockLostException.class);
        assertNoToken(lease, List.of(trace(busy), trace(tooLong), trace(lost)));
    }

    @Test
    void command_showsItsNameOnly() {
        assertThat(RedisCommand.keyed("SET", "holdfast:lock:a", "token", "NX", "PX", "10"))
                .hasToString("SET");
        assertThat(RedisCommand.keyless("AUTH", "app", "hunter2")).hasToString("AUTH");
    }

    private static void assertNoToken(Lease lease, List<Object> shown) {
        String secret = lease.token().substring(0, 22);
        assertThat(shown).noneMatch(object -> object.toString().contains(secret));
    }

    private static String trace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
