// SPDX-License-Identifier: Apache-2.0
package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockEvent;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.LockOptions;
import io.holdfast.LostReason;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisAddress;
import io.holdfast.testkit.HoldfastTest;
import io.holdfast.testkit.RawRedis;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Collections;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real locks on a real server, and the observations they leave. */
@HoldfastTest
class LockObservationsTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final String KEY = "order:4711";
    private static final LockOptions OPTIONS = LockOptions.builder()
            .ttl(TTL)
            .wait(Duration.ofMinutes(1))
            .label("order:{id}")
            .build();
    private static final LockOptions ONCE =
            OPTIONS.toBuilder().wait(Duration.ZERO).build();

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final RecordedObservations seen = new RecordedObservations(registry);
    private Holdfast locks;

    @BeforeEach
    void connect(RedisAddress server) {
        locks = Holdfast.builder()
                .address(server)
                .closeWait(Duration.ZERO)
                .listener(new LockObservations(registry))
                .build();
    }

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void acquireAndHold_followEachOther_withLabelOutcomeAndKey() {
        locks.lock(KEY, OPTIONS).withLock(() -> {});

        assertThat(seen.story())
                .containsExactly(
                        "start holdfast.acquire", "stop holdfast.acquire", "start holdfast.hold", "stop holdfast.hold");
        Observation.Context acquire = seen.only(LockObservations.ACQUIRE);
        Observation.Context hold = seen.only(LockObservations.HOLD);
        assertThat(acquire.getContextualName()).isEqualTo("acquire order:{id}");
        assertThat(hold.getContextualName()).isEqualTo("hold order:{id}");
        assertThat(RecordedObservations.low(acquire)).containsOnly("lock=order:{id}", "outcome=acquired");
        assertThat(RecordedObservations.low(hold)).containsOnly("lock=order:{id}", "outcome=released");
        assertThat(RecordedObservations.high(acquire)).containsExactly("key=" + KEY);
        assertThat(RecordedObservations.high(hold))
                .contains("key=" + KEY)
                .anyMatch(s -> s.startsWith("fencing.token="));
    }

    @Test
    void blockingCaller_itsObservationIsTheParentOfBoth() {
        Observation request = Observation.createNotStarted("request", registry);
        request.observe(() -> locks.lock(KEY, OPTIONS)
                .withLock(() -> assertThat(registry.getCurrentObservation())
                        .as("the block is not inside the hold")
                        .isSameAs(request)));

        assertThat(seen.only(LockObservations.ACQUIRE).getParentObservation()).isSameAs(request);
        assertThat(seen.only(LockObservations.HOLD).getParentObservation()).isSameAs(request);
    }

    @Test
    void asynchronousCaller_itsObservationIsTheParentOfBoth() {
        Observation request = Observation.createNotStarted("request", registry);
        CompletableFuture<Lease> lease =
                request.observe(() -> locks.lock(KEY, OPTIONS).acquireAsync());
        lease.join().release();

        assertThat(seen.only(LockObservations.ACQUIRE).getParentObservation()).isSameAs(request);
        assertThat(seen.only(LockObservations.HOLD).getParentObservation()).isSameAs(request);
    }

    /** What one thread gives back the next one has by the hand of the first, inside whatever that is doing. */
    @Test
    void lease_broughtByAnotherThreadsRelease_isNotPartOfWhatThatThreadDoes() throws Exception {
        Observation first = Observation.createNotStarted("first", registry);
        Observation second = Observation.createNotStarted("second", registry);
        Lease holder = locks.lock(KEY, OPTIONS).acquire();
        CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(
                () -> second.observe(() -> locks.lock(KEY, OPTIONS).acquire().release()),
                task -> new Thread(task).start());
        await().until(() -> seen.events.contains("contended"));
        CompletableFuture<Lease> withoutParent = locks.lock(KEY, OPTIONS).acquireAsync();
        await().until(() -> Collections.frequency(seen.events, "contended") == 2);
        first.observe(holder::release);
        assertThat(waiter.get(20, TimeUnit.SECONDS)).isTrue();
        withoutParent.get(20, TimeUnit.SECONDS).release();

        assertThat(seen.stopped(LockObservations.HOLD))
                .extracting(Observation.Context::getParentObservation)
                .doesNotContain(first)
                .contains(second);
        Observation.Context orphan = seen.stopped(LockObservations.HOLD).get(2);
        assertThat(orphan.getParentObservation().getContextView().getName()).isEqualTo(LockObservations.ACQUIRE);
    }

    @Test
    void busy_endsTheAcquireWithoutAHold() {
        Lease holder = locks.lock(KEY, OPTIONS).acquire();
        assertThat(locks.lock(KEY, ONCE).tryAcquire()).isEmpty();
        holder.release();

        assertThat(seen.stopped(LockObservations.ACQUIRE)).hasSize(2);
        assertThat(RecordedObservations.low(
                        seen.stopped(LockObservations.ACQUIRE).get(1)))
                .contains("outcome=busy");
        assertThat(seen.stopped(LockObservations.HOLD)).hasSize(1);
    }

    @Test
    void failed_endsTheAcquireWithItsError(EmbeddedRedis server) {
        server.kill();
        assertThatThrownBy(() -> locks.lock(KEY, ONCE).acquire()).isInstanceOf(LockBackendException.class);

        Observation.Context acquire = seen.only(LockObservations.ACQUIRE);
        assertThat(RecordedObservations.low(acquire)).contains("outcome=failed");
        assertThat(acquire.getError()).isInstanceOf(LockBackendException.class);
    }

    @Test
    void interrupted_endsTheAcquireAsAbandoned() throws Exception {
        locks.lock(KEY, OPTIONS).acquire();
        Thread waiter = new Thread(
                () -> assertThatThrownBy(() -> locks.lock(KEY, OPTIONS).acquire())
                        .isInstanceOf(LockNotAcquiredException.class));
        waiter.start();
        await().until(() -> seen.events.contains("contended"));
        waiter.interrupt();
        waiter.join(20_000);

        assertThat(RecordedObservations.low(
                        seen.stopped(LockObservations.ACQUIRE).get(1)))
                .contains("outcome=abandoned");
    }

    @Test
    void lost_endsTheHold(EmbeddedRedis server) {
        Lease lease = locks.lock(KEY, OPTIONS).acquire();
        try (RawRedis redis = new RawRedis(server.host(), server.port())) {
            redis.call("FLUSHALL");
        }
        assertThat(lease.release()).isFalse();

        Observation.Context hold = seen.only(LockObservations.HOLD);
        assertThat(RecordedObservations.low(hold)).contains("outcome=lost");
        assertThat(RecordedObservations.high(hold)).contains("reason=GONE");
    }

    @Test
    void releaseFailed_endsTheHoldWithItsError(EmbeddedRedis server) {
        Lease lease = locks.lock(KEY, OPTIONS).acquire();
        server.kill();
        assertThatThrownBy(lease::release).isInstanceOf(LockBackendException.class);

        Observation.Context hold = seen.only(LockObservations.HOLD);
        assertThat(RecordedObservations.low(hold)).contains("outcome=failed");
        assertThat(hold.getError()).isInstanceOf(LockBackendException.class);
    }

    @Test
    void lostOnItsWayToTheCaller_endsTheHoldAllTheSame() {
        ObservedAcquire observed = new ObservedAcquire(registry, KEY, OPTIONS);
        observed.lost(event(LostReason.EXPIRED));
        observed.acquired(event(null));

        assertThat(seen.story())
                .containsExactly(
                        "start holdfast.acquire", "stop holdfast.acquire", "start holdfast.hold", "stop holdfast.hold");
        assertThat(RecordedObservations.low(seen.only(LockObservations.HOLD))).contains("outcome=lost");
    }

    @Test
    void registryWithoutHandlers_isNotTold() {
        assertThat(new LockObservations(ObservationRegistry.NOOP).acquiring(KEY, OPTIONS))
                .isNull();
    }

    private static LockEvent event(LostReason reason) {
        return new LockEvent(
                KEY, OPTIONS, Duration.ofMillis(5), Duration.ZERO, 1, OptionalLong.of(7), false, reason, null);
    }
}
