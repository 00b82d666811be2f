// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockEvent;
import io.holdfast.LockNotAcquiredException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that dies, hangs or refuses, one of the test's own each time: "Redis is down" is never "busy". */
@NullUnmarked
public abstract class OutageContract extends ServerContract {
    private static final Duration TTL = Duration.ofSeconds(10);

    private EventRecorder events;
    private Holdfast watched;

    @BeforeEach
    void openWatched() {
        events = new EventRecorder();
        watched = another(builder -> builder.listener(events));
    }

    @Test
    void acquire_serverDown_isABackendErrorAndNotBusy() {
        redis().server().kill();

        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> watched.tryLock(key, TTL))
                .withMessageContaining("acquire")
                .satisfies(failure -> {
                    assertThat(failure.isUnavailable()).isTrue();
                    assertThat(failure.key()).isEqualTo(key);
                    assertThat(failure).hasCauseInstanceOf(RuntimeException.class);
                });
        assertThatThrownBy(() -> watched.lock(key).tryLock()).isInstanceOf(LockBackendException.class);
        assertThatThrownBy(() -> watched.lock(key).acquireAsync().get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(LockBackendException.class);
        assertThatThrownBy(() -> watched.inspect(key)).isInstanceOf(LockBackendException.class);
        assertThat(events.kinds()).containsOnly("acquireFailed");
    }

    @Test
    void acquire_busyLock_isNotABackendError() {
        assertThat(another().tryLock(key, TTL)).isPresent();

        assertThatThrownBy(() -> watched.withLock(key, TTL, () -> {})).isInstanceOf(LockNotAcquiredException.class);
        assertThat(events.kinds()).containsExactly("timedOut");
    }

    @Test
    void acquire_wrongPassword_isAMistakeToMend() {
        redis().raw().call("CONFIG", "SET", "requirepass", "secret");
        Holdfast stranger = open(
                redis().holdfast(redis().address().withPassword("wrong-one")).closeWait(Duration.ZERO));

        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> stranger.tryLock(key, TTL, Duration.ofMinutes(1)))
                .withMessageContaining("WRONGPASS")
                .satisfies(failure -> {
                    assertThat(failure.isUnavailable()).isFalse();
                    assertThat(failure.getMessage()).doesNotContain("wrong-one");
                    assertThat(failure.elapsed()).as("waiting would not help").isLessThan(Duration.ofSeconds(20));
                });
    }

    @Test
    void acquire_serverBackWithinTheWait_recovers() throws Exception {
        assertThat(watched.tryLock(key + ":warm-up", TTL)).isPresent();
        redis().server().kill();
        Worker<Lease> waiter = Worker.start(() -> watched.lock(key, options -> options.wait(Duration.ofSeconds(15)))
                .acquire());
        pass(Duration.ofMillis(300)); // some tries fail meanwhile
        assertThat(waiter.isDone()).isFalse();

        redis().server().restart();

        assertThat(waiter.result().isHeld()).isTrue();
        LockEvent acquired = events.of("acquired").get(1);
        assertThat(acquired.attempts()).isGreaterThan(1);
        assertThat(events.kinds()).doesNotContain("acquireFailed", "degraded");
    }

    @Test
    void acquire_serverDownForTheWholeWait_backsOffAndIsABackendError() {
        redis().server().kill();

        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(() -> watched.lock(
                                key,
                                options -> options.wait(Duration.ofMillis(700)).retryInterval(Duration.ofMillis(20)))
                        .acquire())
                .satisfies(failure ->
                        assertThat(failure.elapsed()).isBetween(Duration.ofMillis(700), Duration.ofSeconds(5)));
        // 20, 40, 80, 160, 320 ms: five or six tries, where a fixed interval would make 35
        assertThat(events.of("acquireFailed").get(0).attempts()).isBetween(2, 7);
    }

    @Test
    void acquire_hungServer_endsAtTheDeadlineOfTheWait() {
        assertThat(watched.tryLock(key + ":warm-up", TTL)).isPresent();
        redis().server().pause();

        for (Holdfast process : List.of(watched, another())) { // one with a connection, one without
            assertThatExceptionOfType(LockBackendException.class)
                    .isThrownBy(() -> process.tryLock(key, TTL, Duration.ofMillis(500)))
                    .satisfies(failure -> assertThat(failure.elapsed())
                            .as("well before the command timeout")
                            .isBetween(Duration.ofMillis(500), RedisFixture.PATIENT.minusSeconds(1)));
        }
        redis().server().resume();
        eventually()
                .untilAsserted(() -> assertThat(backdoor.keysContaining(key)).containsExactly(lockKey() + ":warm-up"));
    }

    @Test
    void release_refused_isSuppressedInTheBlocksException() {
        IllegalStateException failure = new IllegalStateException("the block's own");

        assertThatThrownBy(() -> watched.withLock(key, TTL, Duration.ZERO, (Runnable) () -> {
                    redis().server().kill();
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(failure.getSuppressed()).hasSize(1);
        assertThat(failure.getSuppressed()[0])
                .isInstanceOf(LockBackendException.class)
                .hasMessageContaining("release");
        assertThat(events.of("releaseFailed")).hasSize(1);
    }

    @Test
    void release_failed_doesNotFailABlockThatSucceeded() {
        String result = watched.withLock(key, TTL, () -> {
            redis().server().kill();
            return "done";
        });

        assertThat(result).isEqualTo("done");
        assertThat(events.kinds()).containsExactly("acquired", "releaseFailed");
        assertThat(events.of("releaseFailed").get(0).cause()).isInstanceOf(LockBackendException.class);
    }

    @Test
    void release_forbidden_failsAtOnceAndIsReported() {
        Lease lease = watched.tryLock(key, TTL).orElseThrow();
        redis().raw().call("ACL", "SETUSER", "default", "-@all", "+ping");

        assertThatExceptionOfType(LockBackendException.class)
                .isThrownBy(lease::release)
                .withMessageContaining("NOPERM")
                .satisfies(failure -> assertThat(failure.isUnavailable()).isFalse());
        assertThat(lease.isHeld()).isFalse();
        assertThat(events.of("releaseFailed")).hasSize(1);
        assertThat(lease.release()).as("a second release").isFalse();
    }

    @Test
    void unlock_serverDown_throwsAndLeavesNoCountBehind() {
        watched.lock(key).lock();
        redis().server().kill();

        assertThatThrownBy(() -> watched.lock(key).unlock()).isInstanceOf(LockBackendException.class);
        assertThat(watched.lock(key).holdCount()).isZero();
        assertThatThrownBy(() -> watched.lock(key).unlock())
                .as("the hold itself is forgotten too")
                .isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void release_serverRestartedEmpty_reportsLost() {
        Lease lease = watched.tryLock(key, TTL).orElseThrow();
        redis().server().restart();
        eventually().ignoreExceptions().until(() -> !watched.inspect(key).isHeld()); // past connections that broke

        assertThat(lease.release())
                .as("true would claim that nobody else could have had it")
                .isFalse();
    }

    @Test
    void connectionsKilled_whileHeld_areInvisible() {
        Lease lease = watched.tryLock(key, TTL).orElseThrow();
        redis().raw().call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");

        assertThat(lease.release()).isTrue();
        assertThat(watched.tryLock(key, TTL, Duration.ofSeconds(10))).isPresent();
    }
}
