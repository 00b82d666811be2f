// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.AcquireRequest;
import io.holdfast.spi.InMemoryBackend;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockName;
import io.holdfast.spi.LockState;
import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.ReleaseReply;
import io.holdfast.spi.ReleaseRequest;
import io.holdfast.spi.RenewReply;
import io.holdfast.spi.RenewRequest;
import io.holdfast.spi.Signals;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Real locks in memory on a clock moved by hand, and the lines they leave in the log. */
class EventLogTest {
    private static final Duration TTL = Duration.ofSeconds(10);

    private final Lines lines = new Lines();
    private final HandClock clock = new HandClock();
    private final Unreliable store = new Unreliable(new InMemoryBackend(clock));
    private final Holdfast locks = Holdfast.builder()
            .backend(store)
            .clock(clock)
            .closeWait(Duration.ZERO)
            .listener(new EventLog(lines))
            .build();

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void logger_isOneOfItsOwn() {
        assertThat(EventLog.LOGGER).isEqualTo("io.holdfast.events");
        assertThat(new EventLog().logger()).isSameAs(LoggerFactory.getLogger("io.holdfast.events"));
    }

    @Test
    void acquired_isInfoWithMilliseconds() {
        assertThat(locks.tryLock("order:1", TTL)).isPresent();

        assertThat(lines.all).containsExactly("INFO Lock acquired: order:1 in 0 ms, 1 attempt(s)");
    }

    @Test
    void notAcquired_isWarnWithRetries() {
        assertThat(locks.tryLock("order:1", TTL)).isPresent();
        assertThat(locks.tryLock("order:1", TTL)).isEmpty();

        assertThat(lines.all.get(1)).isEqualTo("WARN Lock not acquired: order:1 is busy, 0 retries in 0 ms");
    }

    @Test
    void released_isDebugWithTheHoldTime() {
        Lease lease = locks.tryLock("order:1", TTL).orElseThrow();
        clock.move(Duration.ofSeconds(8));
        lease.release();

        assertThat(lines.all.subList(1, lines.all.size()))
                .containsExactly("DEBUG Lock released: order:1 held for 8000 ms");
    }

    @Test
    void released_afterMoreThan80PercentOfTheTtl_warnsToo() {
        Lease lease = locks.tryLock("order:1", TTL).orElseThrow();
        clock.move(Duration.ofMillis(8_001));
        lease.release();

        assertThat(lines.all.get(2)).isEqualTo("WARN Lock held long: order:1 for 8001 ms, more than 80 % of 10000 ms");
    }

    @Test
    void released_afterMoreThan80PercentOfTheMaximumHold_warnsWhenRenewed() {
        Lease renewed =
                locks.lock("order:1", options -> options.ttl(TTL).renew(true)).acquire();
        clock.move(Duration.ofMillis(9_000));
        renewed.release();
        assertThat(lines.all).as("the TTL says nothing when it is renewed").noneMatch(line -> line.contains("long"));

        Lease capped = locks.lock(
                        "order:2", options -> options.ttl(TTL).renew(true).maxHold(Duration.ofSeconds(5)))
                .acquire();
        clock.move(Duration.ofMillis(4_100));
        capped.release();
        assertThat(lines.all).contains("WARN Lock held long: order:2 for 4100 ms, more than 80 % of 5000 ms");
    }

    @Test
    void releaseFailed_isErrorWithItsCause() {
        Lease lease = locks.tryLock("order:1", TTL).orElseThrow();
        store.down = true;
        assertThatThrownBy(lease::release).isInstanceOf(LockBackendException.class);

        assertThat(lines.all.get(1)).startsWith("ERROR Lock release failed:").contains("order:1");
        assertThat(lines.causes).hasOnlyElementsOfType(LockBackendException.class);
    }

    interface Orders {
        @Lock("order:{id}")
        String pay(String id);
    }

    @Test
    void releaseFailed_ofAMethodWithALock_isErrorToo_thoughNobodyIsThrownIt() {
        Orders orders = Locks.proxy(
                Orders.class,
                id -> {
                    store.down = true;
                    return "paid";
                },
                locks);

        assertThat(orders.pay("1")).isEqualTo("paid");
        assertThat(lines.all.get(1)).startsWith("ERROR Lock release failed:").contains("order:1");
        assertThat(lines.causes).hasOnlyElementsOfType(LockBackendException.class);
    }

    @Test
    void acquireFailed_isError() {
        store.down = true;
        assertThatThrownBy(() -> locks.tryLock("order:1", TTL)).isInstanceOf(LockBackendException.class);

        assertThat(lines.all).hasSize(1);
        assertThat(lines.all.get(0)).startsWith("ERROR Lock not acquired:").contains("order:1");
    }

    @Test
    void degraded_isError() {
        store.down = true;
        locks.lock("order:1", options -> options.onUnavailable(FailurePolicy.PROCEED))
                .acquire();

        assertThat(lines.all.get(1)).startsWith("ERROR Lock DEGRADED: order:1 goes on as PROCEED");
    }

    @Test
    void lost_isErrorWithTheReason() {
        Lease lease = locks.tryLock("order:1", TTL).orElseThrow();
        clock.move(Duration.ofSeconds(10));
        assertThat(lease.isHeld()).isFalse();

        assertThat(lines.all).contains("ERROR Lock LOST: order:1 after 10000 ms: EXPIRED");
    }

    @Test
    void lines_neverShowAToken() {
        Lease lease = locks.tryLock("order:1", TTL).orElseThrow();
        String token = lease.token().substring(0, 22);
        assertThat(locks.tryLock("order:1", TTL)).isEmpty();
        store.down = true;
        assertThatThrownBy(lease::release).isInstanceOf(LockBackendException.class);
        assertThatThrownBy(() -> locks.tryLock("order:1", TTL)).isInstanceOf(LockBackendException.class);

        assertThat(lines.all).hasSizeGreaterThan(3).noneMatch(line -> line.contains(token));
        assertThat(lines.causes).noneMatch(cause -> String.valueOf(cause).contains(token));
    }

    /** Records instead of printing; every level is on. */
    /** With nobody else to tell, events are made only where there will be a line; so with a log and nothing else. */
    @Test
    void logAlone_turnedDown_stillWarnsOfALongHold() {
        Engine alone = new Engine(
                new InMemoryBackend(clock),
                new Alarms(clock),
                new Tokens("host-a/4711"),
                new Events(List.of(new EventLog(lines))));
        LockOptions fixed = LockOptions.builder().ttl(TTL).renew(false).build();
        NamedLock lock = new NamedLock(alone, new KeySpace("holdfast", "lock", false).name("order:1"), fixed);
        lock.acquire().release();
        lines.detailed = false;
        lock.acquire().release();
        Lease lease = lock.acquire();
        clock.move(Duration.ofMillis(8_001));
        lease.release();
        alone.close(Duration.ZERO);

        assertThat(lines.all)
                .containsExactly(
                        "INFO Lock acquired: order:1 in 0 ms, 1 attempt(s)",
                        "DEBUG Lock released: order:1 held for 0 ms",
                        "WARN Lock held long: order:1 for 8001 ms, more than 80 % of 10000 ms");
    }

    private static final class Lines extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1L;

        final transient List<String> all = new CopyOnWriteArrayList<>();
        final transient List<Throwable> causes = new CopyOnWriteArrayList<>();
        private boolean detailed = true;

        @Override
        protected String getFullyQualifiedCallerName() {
            return "";
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level, Marker marker, String pattern, Object[] arguments, Throwable cause) {
            all.add(level + " " + MessageFormatter.basicArrayFormat(pattern, arguments));
            if (cause != null) {
                causes.add(cause);
            }
        }

        @Override
        public boolean isTraceEnabled() {
            return true;
        }

        @Override
        public boolean isDebugEnabled() {
            return detailed;
        }

        @Override
        public boolean isInfoEnabled() {
            return detailed;
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

    private static final class HandClock implements MonotonicClock {
        private final AtomicLong now = new AtomicLong();

        @Override
        public long nanoTime() {
            return now.get();
        }

        void move(Duration time) {
            now.addAndGet(time.toNanos()); // the timer is not told: what the test looks at is what it causes itself
        }
    }

    /** Answers, or refuses the connection. */
    private static final class Unreliable implements LockBackend {
        private final LockBackend store;
        volatile boolean down;

        Unreliable(LockBackend store) {
            this.store = store;
        }

        private <T> CompletionStage<T> unlessDown(Supplier<CompletionStage<T>> verb) {
            return down ? CompletableFuture.failedStage(RedisConnectionException.notSent("refused", null)) : verb.get();
        }

        @Override
        public CompletionStage<AcquireReply> acquire(AcquireRequest request) {
            return unlessDown(() -> store.acquire(request));
        }

        @Override
        public CompletionStage<List<RenewReply>> renew(List<RenewRequest> batch) {
            return unlessDown(() -> store.renew(batch));
        }

        @Override
        public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
            return unlessDown(() -> store.release(request));
        }

        @Override
        public CompletionStage<Boolean> abandon(LockName name, String token, boolean owned) {
            return unlessDown(() -> store.abandon(name, token, owned));
        }

        @Override
        public CompletionStage<Boolean> end(LockName name, String value, long afterMillis) {
            return unlessDown(() -> store.end(name, value, afterMillis));
        }

        @Override
        public CompletionStage<?> serve(LockName name) {
            return store.serve(name);
        }

        @Override
        public void listen(String instance, Signals signals) {
            store.listen(instance, signals);
        }

        @Override
        public long listening() {
            return store.listening();
        }

        @Override
        public CompletionStage<LockState> inspect(LockName name) {
            return unlessDown(() -> store.inspect(name));
        }

        @Override
        public String endpoint() {
            return "in memory";
        }
    }
}
