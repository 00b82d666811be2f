// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.spi.InMemoryBackend;
import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** The lines of the third document, on a logger of their own, and never a token. */
class EventLogTest {
    private static final String KEY = "order:42";
    private static final Duration TTL = Duration.ofSeconds(10);

    private final Recorder log = new Recorder();
    private final HandClock clock = new HandClock();
    private final InMemoryBackend store = new InMemoryBackend(clock);
    private final Holdfast locks = Holdfast.builder()
            .backend(store)
            .clock(clock)
            .closeWait(Duration.ZERO)
            .listener(new EventLog(log))
            .build();

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void acquired_isInfoWithMillis() {
        assertThat(locks.tryLock(KEY, TTL)).isPresent();

        assertThat(log.lines).containsExactly("INFO Lock acquired: order:42 in 0 ms, 1 attempt(s)");
    }

    @Test
    void notAcquired_isWarnWithRetries() {
        assertThat(locks.tryLock(KEY, TTL)).isPresent();
        log.lines.clear();

        assertThat(locks.tryLock(KEY, TTL)).isEmpty();

        assertThat(log.lines).containsExactly("WARN Lock not acquired: order:42 is busy, 0 retries in 0 ms");
    }

    @Test
    void released_isDebugWithHoldTime() {
        Lease lease = locks.tryLock(KEY, TTL).orElseThrow();
        log.lines.clear();
        clock.advance(Duration.ofMillis(8000));
        lease.release();

        assertThat(log.lines).containsExactly("DEBUG Lock released: order:42 held for 8000 ms");
    }

    @Test
    void released_afterMoreThan80Percent_warns() {
        Lease lease = locks.tryLock(KEY, TTL).orElseThrow();
        clock.advance(Duration.ofMillis(8001));
        lease.release();

        assertThat(log.lines).contains("WARN Lock held long: order:42 for 8001 ms, more than 80 % of 10000 ms");
    }

    @Test
    void released_renewedLease_isMeasuredByItsMaximumHoldOnly() {
        Lease endless = locks.lock(KEY).acquire();
        clock.advance(Duration.ofSeconds(29));
        endless.release();
        assertThat(log.lines).noneMatch(line -> line.contains("held long"));

        Lease bounded = locks.lock(KEY, o -> o.maxHold(Duration.ofSeconds(20))).acquire();
        clock.advance(Duration.ofSeconds(17));
        bounded.release();
        assertThat(log.lines).contains("WARN Lock held long: order:42 for 17000 ms, more than 80 % of 20000 ms");
    }

    @Test
    void lost_isErrorWithReason() {
        Lease lease = locks.tryLock(KEY, TTL).orElseThrow();
        clock.advance(TTL);

        assertThat(lease.isHeld()).isFalse();
        await().untilAsserted(
                        () -> assertThat(log.lines).contains("ERROR Lock LOST: order:42 after 10000 ms: EXPIRED"));
    }

    @Test
    void failures_areErrorsWithTheirCause() {
        LockEvent event = new LockEvent(
                KEY,
                LockOptions.builder().onUnavailable(FailurePolicy.LOCAL).build(),
                Duration.ofMillis(5),
                1,
                OptionalLong.empty(),
                null,
                new LockBackendException("Redis is down", KEY, Duration.ZERO, true, null));
        EventLog events = new EventLog(log);
        events.releaseFailed(event);
        events.acquireFailed(event);
        events.degraded(event);
        events.renewalFailed(event);

        assertThat(log.lines)
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith("ERROR Lock release failed: ")
                                .contains("Redis is down"),
                        line -> assertThat(line)
                                .startsWith("ERROR Lock not acquired: ")
                                .contains("Redis is down"),
                        line -> assertThat(line).startsWith("ERROR Lock DEGRADED: order:42 goes on as LOCAL"),
                        line -> assertThat(line)
                                .startsWith("WARN Lock renewal failed, will be tried again: order:42 held for 5 ms")
                                .contains("Redis is down"));
        assertThat(EventLog.LOGGER).isEqualTo("io.holdfast.events");
    }

    @Test
    void wholeLife_neverShowsAToken() {
        Lease lease = locks.lock(KEY, o -> o.owner("request-1")).acquire();
        assertThat(locks.tryLock(KEY, TTL)).isEmpty();
        assertThatThrownBy(() -> locks.withLock(KEY, TTL, () -> {})).isInstanceOf(LockNotAcquiredException.class);
        store.clear();
        assertThat(lease.release()).isFalse();

        String secret = lease.token().substring(0, 22);
        assertThat(log.lines).isNotEmpty().noneMatch(line -> line.contains(secret));
    }

    /** Keeps every line as {@code LEVEL text}. */
    private static final class Recorder extends LegacyAbstractLogger {
        @Serial
        private static final long serialVersionUID = 1L;

        private final transient List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        protected String getFullyQualifiedCallerName() {
            return Recorder.class.getName();
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level, Marker marker, String pattern, Object[] arguments, Throwable throwable) {
            lines.add(level + " "
                    + MessageFormatter.basicArrayFormat(pattern, arguments == null ? new Object[0] : arguments));
        }

        @Override
        public boolean isTraceEnabled() {
            return true;
        }

        @Override
        public boolean isDebugEnabled() {
            return true;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }
    }
}
