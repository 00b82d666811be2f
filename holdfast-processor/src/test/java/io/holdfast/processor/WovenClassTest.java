// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockEvent;
import io.holdfast.LockLostException;
import io.holdfast.LockManager;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.LockOptions;
import io.holdfast.Locks;
import io.holdfast.processor.examples.OrderServiceCalls;
import io.holdfast.processor.examples.OrderServiceLocked;
import io.holdfast.testkit.EventRecorder;
import io.holdfast.testkit.InMemoryLocks;
import io.holdfast.testkit.TestClock;
import io.holdfast.testkit.Verb;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What was generated for the class OrderService does what its annotations say. */
class WovenClassTest {
    private final EventRecorder events = new EventRecorder();
    private final InMemoryLocks test = InMemoryLocks.create(TestClock.frozen(), builder -> builder.listener(events));
    private final LockManager locks = test.locks();
    private final LockManager rival = test.anotherProcess();
    private Runnable work = () -> {};
    private final OrderServiceLocked orders = new OrderServiceLocked(locks, () -> work.run());

    @AfterEach
    void nothingIsLeft() {
        assertThat(test.locks().heldLeases()).isZero();
        test.close();
    }

    @Test
    void call_takesTheLockOfItsKeyAndTtl_andGivesItBack() throws IOException {
        work = () -> {
            assertThat(locks.inspect("order:42").isHeld()).isTrue();
            assertThat(Locks.current().remaining()).isBetween(Duration.ofSeconds(14), Duration.ofSeconds(15));
        };

        assertThat(orders.pay("42", 7)).isEqualTo("paid 7 for 42");

        assertThat(locks.inspect("order:42").isHeld()).isFalse();
        LockEvent taken = events.of("acquired").get(0);
        assertThat(taken.options().label()).contains("order:{orderId}");
        assertThat(taken.options().renews()).isFalse();
    }

    @Test
    void call_thatThrows_givesTheLockBackAndThrowsTheSame() {
        IllegalStateException failure = new IllegalStateException("as the test asked for");
        work = () -> {
            throw failure;
        };

        assertThatThrownBy(() -> orders.pay("42", 7)).isSameAs(failure);
        assertThat(locks.inspect("order:42").isHeld()).isFalse();
    }

    @Test
    void properties_leadToTheKey() {
        List<String> keys = new ArrayList<>();
        work = () -> keys.add(Locks.current().key());

        OrderServiceCalls.ship(orders, 7, "ann");

        assertThat(keys).containsExactly("order:7:ann");
    }

    @Test
    void placeholder_null_isNamedWithItsMethod() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> orders.pay(null, 7))
                .withMessage("OrderService.pay: orderId is null in \"order:{orderId}\": a lock without its id would be "
                        + "shared by all callers");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OrderServiceCalls.shipWithoutCustomer(orders, 7))
                .withMessageStartingWith("OrderService.ship: order.customer.name is null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OrderServiceCalls.shipNothing(orders))
                .withMessageStartingWith("OrderService.ship: order.id is null");
    }

    @Test
    void severalLocks_areTakenInTheOrderOfTheirKeys_andGivenAsDeclared() {
        assertThat(OrderServiceCalls.move(orders, "a", "b")).isEqualTo("stock:b stock:a stock:b");

        assertThat(events.of("acquired")).extracting(LockEvent::key).containsExactly("stock:a", "stock:b");
        assertThat(events.of("released")).extracting(LockEvent::key).containsExactly("stock:b", "stock:a");
    }

    @Test
    void busy_throws() {
        try (Lease other = hold("order:42")) {
            assertThatThrownBy(() -> orders.pay("42", 7))
                    .isInstanceOf(LockNotAcquiredException.class)
                    .hasMessageContaining("order:42");
        }
    }

    @Test
    void busy_skips() {
        assertThat(orders.skipped()).contains("ran");
        assertThat(orders.skippedFlag()).isTrue();
        try (Lease other = hold("skip")) {
            assertThat(orders.skipped()).isEmpty();
            assertThat(orders.skippedFlag()).isFalse();
        }
    }

    @Test
    void busy_fallsBack() {
        work = () -> assertThat(Locks.current().isHeld()).isTrue();
        assertThat(orders.reserve("42")).isEqualTo("reserved 42");
        try (Lease other = hold("order:42")) {
            work = () -> {
                throw new AssertionError("ran without the lock");
            };
            assertThat(orders.reserve("42")).isEqualTo("later 42: order:42");
            orders.touch("42");
        }
    }

    @Test
    void loss_isThrown_orWarnedOf() {
        work = () -> test.expire("order:42");
        assertThatThrownBy(() -> orders.pay("42", 7)).isInstanceOf(LockLostException.class);

        work = () -> test.expire("report");
        assertThat(orders.count(1, 2, 3)).isEqualTo(3);
    }

    @Test
    void release_thatFails_leavesTheResult_andListenersAreTold() throws IOException {
        test.failBackend(Verb.RELEASE);

        assertThat(orders.pay("42", 7)).isEqualTo("paid 7 for 42");
        assertThat(orders.report(7L, () -> CompletableFuture.completedFuture("ready")))
                .succeedsWithin(Duration.ofSeconds(10))
                .isEqualTo("ready");

        assertThat(events.of("releaseFailed")).extracting(LockEvent::key).containsExactly("order:42", "report:7");
        assertThat(events.of("releaseFailed"))
                .extracting(LockEvent::cause)
                .hasOnlyElementsOfType(LockBackendException.class);
    }

    @Test
    void release_thatFails_isAttachedToTheMethodsOwnFailure() {
        IllegalStateException failure = new IllegalStateException("as the test asked for");
        test.failBackend(Verb.RELEASE);
        work = () -> {
            throw failure;
        };

        assertThatThrownBy(() -> orders.pay("42", 7)).isSameAs(failure);
        assertThat(failure.getSuppressed())
                .hasOnlyElementsOfType(LockBackendException.class)
                .hasSize(1);
    }

    @Test
    void stage_holdsTheLockUntilItIsComplete() {
        CompletableFuture<String> result = new CompletableFuture<>();

        CompletionStage<String> report = orders.report(7, () -> result);

        assertThat(locks.inspect("report:7").isHeld()).isTrue();
        assertThat(report.toCompletableFuture()).isNotDone();
        assertThat(orders.report(7L, () -> result)).isCompletedExceptionally();
        result.complete("ready");
        assertThat(report.toCompletableFuture().join()).isEqualTo("ready");
        await().until(() -> !locks.inspect("report:7").isHeld());
    }

    @Test
    void owner_entersAgain() {
        assertThat(orders.outer("42", "request-1")).isEqualTo("owned:42");
    }

    @Test
    void checkedException_passes() {
        work = () -> {
            throw new UncheckedIOException(new IOException("disk"));
        };

        assertThatThrownBy(() -> orders.pay("42", 7)).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void otherMethods_takeNoLock() {
        assertThat(orders.unlocked()).isEqualTo("free");
        assertThat(events.kinds()).isEmpty();
    }

    @Test
    void constructor_refusesAMissingManager_andDefaultsThatDoNotFit() {
        assertThatNullPointerException()
                .isThrownBy(() -> new OrderServiceLocked(null, () -> {}))
                .withMessage("locks must not be null");
        LockOptions retained =
                LockOptions.builder().retain(Duration.ofSeconds(12)).build();
        try (InMemoryLocks other = InMemoryLocks.create(TestClock.frozen(), builder -> builder.defaults(retained))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new OrderServiceLocked(other.locks(), () -> {}))
                    .withMessageContaining("does not go with the lock manager's defaults")
                    .withMessageContaining("retain must be shorter than the ttl");
        }
    }

    private Lease hold(String key) {
        return rival.tryLock(key, Duration.ofSeconds(30)).orElseThrow();
    }
}
