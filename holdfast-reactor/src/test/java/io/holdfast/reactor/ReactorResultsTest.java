// SPDX-License-Identifier: Apache-2.0
package io.holdfast.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.BusyPolicy;
import io.holdfast.Lease;
import io.holdfast.Lock;
import io.holdfast.LockBackendException;
import io.holdfast.LockEvent;
import io.holdfast.LockLostException;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.Locks;
import io.holdfast.LossPolicy;
import io.holdfast.testkit.EventRecorder;
import io.holdfast.testkit.InMemoryLocks;
import io.holdfast.testkit.TestClock;
import io.holdfast.testkit.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

class ReactorResultsTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private final EventRecorder events = new EventRecorder();
    private InMemoryLocks store;
    private Service service;
    private Orders orders;

    interface Orders {
        @Lock(key = "order:{id}", ttlMs = 10_000)
        Mono<String> pay(String id, Lease lease);

        @Lock(key = "order:{id}", ttlMs = 10_000)
        Flux<Integer> lines(String id);

        @Lock(key = "order:{id}", onBusy = BusyPolicy.SKIP)
        Mono<String> maybe(String id);

        @Lock(key = "order:{id}", onBusy = BusyPolicy.FALLBACK, fallback = "later")
        Flux<String> others(String id);

        Flux<String> later(String id, LockNotAcquiredException busy);

        @Lock(key = "order:{id}", onLost = LossPolicy.WARN)
        Mono<String> tolerant(String id);

        @Lock(key = "outer:{id}", onBusy = BusyPolicy.SKIP)
        Mono<String> nested(String id);

        @Lock(key = "a:{id}")
        @Lock(key = "b:{id}")
        Mono<List<String>> both(String id);
    }

    static final class Service implements Orders {
        final AtomicInteger calls = new AtomicInteger();
        final List<Lease> leases = new ArrayList<>();
        Mono<String> work = Mono.just("paid");
        Sinks.Many<Integer> lines = Sinks.many().unicast().onBackpressureBuffer();
        Orders self;

        @Override
        public Mono<String> pay(String id, Lease lease) {
            calls.incrementAndGet();
            leases.add(lease);
            assertThat(Locks.current()).isSameAs(lease);
            return work;
        }

        @Override
        public Flux<Integer> lines(String id) {
            return lines.asFlux();
        }

        @Override
        public Mono<String> maybe(String id) {
            return work;
        }

        @Override
        public Flux<String> others(String id) {
            return Flux.just("at once");
        }

        @Override
        public Flux<String> later(String id, LockNotAcquiredException busy) {
            return Flux.just("later", busy.key());
        }

        @Override
        public Mono<String> tolerant(String id) {
            return work;
        }

        @Override
        public Mono<String> nested(String id) {
            return self.pay(id, null);
        }

        @Override
        public Mono<List<String>> both(String id) {
            return Mono.just(List.of(
                    Locks.current("a:" + id).key(), Locks.current("b:" + id).key()));
        }
    }

    @BeforeEach
    void weave() {
        store = InMemoryLocks.create(TestClock.ticking(), builder -> builder.listener(events));
        service = new Service();
        orders = Locks.proxy(Orders.class, service, store.locks());
        service.self = orders;
    }

    @AfterEach
    void close() {
        store.close();
    }

    private boolean isHeld(String key) {
        return store.locks().inspect(key).isHeld();
    }

    private void awaitFree(String key) {
        await().until(() -> !isHeld(key));
    }

    @Test
    void mono_beforeAnybodySubscribes_takesNothingAndCallsNothing() {
        Mono<String> unread = orders.pay("1", null);

        assertThat(unread).isNotNull();
        assertThat(service.calls).hasValue(0);
        assertThat(store.locks().heldLeases()).isZero();
    }

    @Test
    void mono_whileItIsNotComplete_holdsTheLock() {
        Sinks.One<String> sink = Sinks.one();
        service.work = sink.asMono();

        StepVerifier.create(orders.pay("1", null))
                .then(() -> await().until(() -> service.calls.get() == 1))
                .then(() -> assertThat(isHeld("order:1")).isTrue())
                .then(() -> sink.tryEmitValue("paid"))
                .expectNext("paid")
                .expectComplete()
                .verify(LONG);

        assertThat(isHeld("order:1")).isFalse();
    }

    @Test
    void mono_subscribedTwice_takesTheLockTwice() {
        Mono<String> payment = orders.pay("1", null);

        StepVerifier.create(payment.then(payment))
                .expectNext("paid")
                .expectComplete()
                .verify(LONG);

        assertThat(service.leases).hasSize(2);
        assertThat(service.leases.get(1).fencingToken())
                .isGreaterThan(service.leases.get(0).fencingToken());
    }

    @Test
    void mono_thatFails_givesTheLockBackAndFailsLikewise() {
        service.work = Mono.error(new IllegalStateException("declined"));

        StepVerifier.create(orders.pay("1", null))
                .expectErrorMessage("declined")
                .verify(LONG);

        assertThat(isHeld("order:1")).isFalse();
    }

    @Test
    void mono_cancelled_givesTheLockBack() {
        service.work = Mono.never();
        Disposable payment = orders.pay("1", null).subscribe();
        await().until(() -> isHeld("order:1"));

        payment.dispose();

        awaitFree("order:1");
    }

    @Test
    void mono_cancelledAtAnyMoment_neverLeavesTheLockTaken() {
        service.work = Mono.never();
        for (int i = 0; i < 300; i++) {
            Disposable payment = orders.pay("1", null).subscribe();
            for (int spin = 0; spin < i * 40; spin++) {
                Thread.onSpinWait();
            }
            payment.dispose();
            awaitFree("order:1");
        }
        await().until(() -> store.locks().heldLeases() == 0);
    }

    @Test
    void mono_whoseLockIsBusy_failsBeforeTheMethodIsCalled() {
        try (Lease other = store.anotherProcess().lock("order:1").acquire()) {
            StepVerifier.create(orders.pay("1", null))
                    .expectError(LockNotAcquiredException.class)
                    .verify(LONG);
        }
        assertThat(service.calls).hasValue(0);
    }

    @Test
    void mono_toBeSkippedWhenBusy_isEmpty() {
        try (Lease other = store.anotherProcess().lock("order:1").acquire()) {
            StepVerifier.create(orders.maybe("1")).expectComplete().verify(LONG);
        }
    }

    @Test
    void mono_thatMeetsABusyLockInside_isNotSkipped() {
        try (Lease other = store.anotherProcess().lock("order:1").acquire()) {
            StepVerifier.create(orders.nested("1"))
                    .expectErrorMatches(failure -> failure instanceof LockNotAcquiredException busy
                            && busy.key().equals("order:1"))
                    .verify(LONG);
        }
        awaitFree("outer:1");
    }

    @Test
    void flux_whoseLockIsBusy_comesFromTheFallback() {
        try (Lease other = store.anotherProcess().lock("order:1").acquire()) {
            StepVerifier.create(orders.others("1"))
                    .expectNext("later", "order:1")
                    .expectComplete()
                    .verify(LONG);
        }
    }

    @Test
    void flux_passesItsValuesOnAndHoldsTheLockToTheEnd() {
        StepVerifier.create(orders.lines("1"))
                .then(() -> await().until(() -> isHeld("order:1")))
                .then(() -> service.lines.tryEmitNext(1))
                .expectNext(1)
                .then(() -> assertThat(isHeld("order:1")).isTrue())
                .then(() -> service.lines.tryEmitNext(2))
                .expectNext(2)
                .then(() -> service.lines.tryEmitComplete())
                .expectComplete()
                .verify(LONG);

        assertThat(isHeld("order:1")).isFalse();
    }

    @Test
    void mono_thatLostItsLock_failsInPlaceOfItsValue() {
        Sinks.One<String> sink = Sinks.one();
        service.work = sink.asMono();

        StepVerifier.create(orders.pay("1", null))
                .then(() -> await().until(() -> isHeld("order:1")))
                .then(() -> store.expire("order:1"))
                .then(() -> sink.tryEmitValue("paid"))
                .expectError(LockLostException.class)
                .verify(LONG);
    }

    @Test
    void flux_thatLostItsLock_failsAfterItsLastValue() {
        StepVerifier.create(orders.lines("1"))
                .then(() -> await().until(() -> isHeld("order:1")))
                .then(() -> service.lines.tryEmitNext(1))
                .expectNext(1)
                .then(() -> store.expire("order:1"))
                .then(() -> service.lines.tryEmitComplete())
                .expectError(LockLostException.class)
                .verify(LONG);
    }

    @Test
    void mono_thatMayLoseItsLock_keepsItsValue() {
        Sinks.One<String> sink = Sinks.one();
        service.work = sink.asMono();

        StepVerifier.create(orders.tolerant("1"))
                .then(() -> await().until(() -> isHeld("order:1")))
                .then(() -> store.expire("order:1"))
                .then(() -> sink.tryEmitValue("paid"))
                .expectNext("paid")
                .expectComplete()
                .verify(LONG);
    }

    @Test
    void monoAndFlux_whoseReleaseFails_keepTheirValues_andListenersAreTold() {
        store.failBackend(Verb.RELEASE);

        StepVerifier.create(orders.pay("1", null))
                .expectNext("paid")
                .expectComplete()
                .verify(LONG);
        StepVerifier.create(orders.lines("2"))
                .then(() -> service.lines.tryEmitNext(1))
                .expectNext(1)
                .then(() -> service.lines.tryEmitComplete())
                .expectComplete()
                .verify(LONG);

        assertThat(events.of("releaseFailed")).extracting(LockEvent::key).containsExactly("order:1", "order:2");
    }

    @Test
    void mono_thatFailsAndWhoseReleaseFails_failsLikewiseAndCarriesIt() {
        IllegalStateException failure = new IllegalStateException("declined");
        service.work = Mono.error(failure);
        store.failBackend(Verb.RELEASE);

        StepVerifier.create(orders.pay("1", null))
                .expectErrorMatches(failed -> failed == failure)
                .verify(LONG);

        assertThat(failure.getSuppressed())
                .hasOnlyElementsOfType(LockBackendException.class)
                .hasSize(1);
    }

    @Test
    void mono_ofTwoLocks_whenTheSecondIsBusy_holdsNeither() {
        try (Lease other = store.anotherProcess().lock("b:1").acquire()) {
            StepVerifier.create(orders.both("1"))
                    .expectError(LockNotAcquiredException.class)
                    .verify(LONG);
            assertThat(isHeld("a:1")).isFalse();
        }
        StepVerifier.create(orders.both("1"))
                .expectNext(List.of("a:1", "b:1"))
                .expectComplete()
                .verify(LONG);
        assertThat(store.locks().heldLeases()).isZero();
    }

    @Test
    void mono_withoutItsId_failsAndSaysWhich() {
        StepVerifier.create(orders.pay(" ", null))
                .expectErrorMatches(failure -> failure instanceof IllegalArgumentException
                        && failure.getMessage().contains("id is blank"))
                .verify(LONG);
    }
}
