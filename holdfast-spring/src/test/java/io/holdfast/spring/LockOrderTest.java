// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.Transactional;

/** The lock's place among what else is around a method. */
class LockOrderTest {

    @Test
    void transaction_beginsAndCommitsInsideLock() {
        try (Rig rig = Rig.start(Database.class, Orders.class)) {
            rig.get(Orders.class).pay();

            assertThat(rig.events).containsExactly("locked", "begin", "pay", "commit", "unlocked");
        }
    }

    @Test
    void transaction_withLockOrderedInside_beginsOutside() {
        LockAdviceSettings inside = new LockAdviceSettings(Integer.MAX_VALUE, InTransaction.WARN, true);
        try (Rig rig = Rig.start(inside, Database.class, Orders.class)) {
            rig.get(Orders.class).pay();

            assertThat(rig.events).containsExactly("begin", "locked", "pay", "unlocked", "commit");
        }
    }

    @Test
    void retry_takesLockAnewForEachAttempt() {
        try (Rig rig = Rig.start(Resilient.class, Orders.class)) {
            rig.get(Orders.class).payAtThirdAttempt();

            assertThat(rig.events)
                    .containsExactly(
                            "locked",
                            "failed",
                            "unlocked",
                            "locked",
                            "failed",
                            "unlocked",
                            "locked",
                            "paid",
                            "unlocked");
        }
    }

    @Test
    void async_takesLockOnItsThread_untilInnerStageIsComplete() {
        try (Rig rig = Rig.start(Asynchronous.class, Orders.class)) {
            CompletableFuture<String> work = new CompletableFuture<>();

            CompletableFuture<String> result = rig.get(Orders.class).payLater(work);

            await().untilAsserted(() -> assertThat(rig.events).hasSize(2));
            assertThat(rig.events)
                    .contains("locked")
                    .doesNotContain("on " + Thread.currentThread().getName());
            assertThat(rig.isHeld("order")).isTrue();
            assertThat(result).isNotDone();
            work.complete("done");
            assertThat(result).succeedsWithin(Duration.ofSeconds(10)).isEqualTo("done");
            assertThat(rig.isHeld("order")).isFalse();
        }
    }

    @Test
    void async_withoutResult_holdsLockWhileItRuns() {
        try (Rig rig = Rig.start(Asynchronous.class, Orders.class)) {
            CompletableFuture<String> work = new CompletableFuture<>();

            rig.get(Orders.class).payAndForget(work);

            await().untilAsserted(() -> assertThat(rig.isHeld("order")).isTrue());
            work.complete("done");
            await().untilAsserted(() -> assertThat(rig.events).containsExactly("locked", "done", "unlocked"));
        }
    }

    static class Orders {
        private final Rig rig;

        Orders(Rig rig) {
            this.rig = rig;
        }

        @Lock("order")
        @Transactional
        public void pay() {
            rig.events.add("pay");
        }

        @Lock("order")
        @Retryable(maxRetries = 5, delay = 1)
        public void payAtThirdAttempt() {
            if (rig.events.size() < 6) {
                rig.events.add("failed");
                throw new IllegalStateException("not yet");
            }
            rig.events.add("paid");
        }

        @Async
        @Lock("order")
        public CompletableFuture<String> payLater(CompletableFuture<String> work) {
            rig.events.add("on " + Thread.currentThread().getName());
            return work;
        }

        @Async
        @Lock("order")
        public void payAndForget(CompletableFuture<String> work) {
            rig.events.add(work.join());
        }
    }

    @EnableResilientMethods
    static class Resilient {}

    @EnableAsync
    static class Asynchronous {}
}
