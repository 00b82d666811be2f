// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.Lock;
import io.holdfast.LockNotAcquiredException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Beans whose methods return a publisher: locked per subscription, as long as it lasts. */
class ReactiveBeansTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Test
    void mono_fromSubscriptionToEnd_holdsLock() {
        try (Rig rig = Rig.start(Orders.class)) {
            Orders orders = rig.get(Orders.class);
            CompletableFuture<String> work = new CompletableFuture<>();
            Mono<String> paid = orders.pay("42", work, null);
            assertThat(orders.calls()).as("before anybody subscribes").isZero();

            CompletableFuture<String> result = paid.toFuture();

            await().atMost(PATIENCE).until(() -> orders.calls() == 1);
            assertThat(rig.isHeld("order:42")).isTrue();
            work.complete("paid");
            assertThat(result).succeedsWithin(PATIENCE).isEqualTo("paid under order:42");
            assertThat(rig.isHeld("order:42")).isFalse();
        }
    }

    @Test
    void mono_subscribedToTwice_runsUnderALockOfItsOwnEachTime() {
        try (Rig rig = Rig.start(Orders.class)) {
            Orders orders = rig.get(Orders.class);
            Mono<String> paid = orders.pay("42", CompletableFuture.completedFuture("paid"), null);

            assertThat(paid.block(PATIENCE)).isEqualTo("paid under order:42");
            assertThat(paid.block(PATIENCE)).isEqualTo("paid under order:42");

            assertThat(orders.calls()).isEqualTo(2);
            assertThat(rig.events).containsExactly("locked", "unlocked", "locked", "unlocked");
        }
    }

    @Test
    void mono_whenBusy_failsAndTheMethodIsNotCalled() {
        try (Rig rig = Rig.start(Orders.class);
                Lease other = rig.memory.locks().lock("order:42").acquire()) {
            Orders orders = rig.get(Orders.class);
            Mono<String> paid = orders.pay("42", CompletableFuture.completedFuture("paid"), null);

            assertThatThrownBy(() -> paid.block(PATIENCE)).isInstanceOf(LockNotAcquiredException.class);
            assertThat(orders.calls()).isZero();
            assertThat(other.isHeld()).isTrue();
        }
    }

    @Test
    void mono_cancelled_isUnlocked() {
        try (Rig rig = Rig.start(Orders.class)) {
            Orders orders = rig.get(Orders.class);
            CompletableFuture<String> never = new CompletableFuture<>();
            Disposable subscriber = orders.pay("42", never, null).subscribe();
            await().atMost(PATIENCE).until(() -> orders.calls() == 1);
            assertThat(rig.isHeld("order:42")).isTrue();

            subscriber.dispose();

            await().atMost(PATIENCE).until(() -> !rig.isHeld("order:42"));
            assertThat(never).as("what it waited for").isCancelled();
        }
    }

    @Test
    void mono_failed_isUnlockedAndFailsAsItDid() {
        try (Rig rig = Rig.start(Orders.class)) {
            Orders orders = rig.get(Orders.class);
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = orders.pay("42", work, null).toFuture();
            await().atMost(PATIENCE).until(() -> orders.calls() == 1);
            assertThat(rig.isHeld("order:42")).isTrue();

            work.completeExceptionally(new IllegalStateException("no money"));

            assertThat(result).failsWithin(PATIENCE).withThrowableThat().withMessageContaining("no money");
            await().atMost(PATIENCE).until(() -> !rig.isHeld("order:42"));
        }
    }

    @Test
    void flux_fromSubscriptionToItsEnd_holdsLock() {
        try (Rig rig = Rig.start(Orders.class)) {
            Sinks.Many<String> lines = Sinks.many().unicast().onBackpressureBuffer();
            List<String> seen = new CopyOnWriteArrayList<>();
            Flux<String> locked = rig.get(Orders.class).lines("42", lines);
            assertThat(rig.isHeld("order:42")).as("before anybody subscribes").isFalse();
            CompletableFuture<List<String>> all =
                    locked.doOnNext(seen::add).collectList().toFuture();
            for (String line : List.of("one", "two")) {
                lines.tryEmitNext(line).orThrow();
                await().atMost(PATIENCE).until(() -> seen.contains(line));
                assertThat(rig.isHeld("order:42")).as("after " + line).isTrue();
            }

            lines.tryEmitComplete().orThrow();

            assertThat(all).succeedsWithin(PATIENCE).isEqualTo(List.of("one", "two"));
            assertThat(rig.isHeld("order:42")).isFalse();
        }
    }

    @Test
    void flux_cancelled_isUnlocked() {
        try (Rig rig = Rig.start(Orders.class)) {
            Sinks.Many<String> lines = Sinks.many().unicast().onBackpressureBuffer();
            List<String> seen = new CopyOnWriteArrayList<>();
            Disposable subscriber = rig.get(Orders.class).lines("42", lines).subscribe(seen::add);
            lines.tryEmitNext("one").orThrow();
            await().atMost(PATIENCE).until(() -> seen.contains("one"));
            assertThat(rig.isHeld("order:42")).isTrue();

            subscriber.dispose();

            await().atMost(PATIENCE).until(() -> !rig.isHeld("order:42"));
        }
    }

    static class Orders {
        private final AtomicInteger calls = new AtomicInteger();

        @Lock("order:{id}")
        public Mono<String> pay(String id, CompletableFuture<String> work, Lease lease) {
            calls.incrementAndGet();
            return Mono.fromFuture(work).map(done -> done + (lease.isHeld() ? " under " + lease.key() : " unlocked"));
        }

        @Lock("order:{id}")
        public Flux<String> lines(String id, Sinks.Many<String> lines) {
            return lines.asFlux();
        }

        public int calls() {
            return calls.get();
        }
    }
}
