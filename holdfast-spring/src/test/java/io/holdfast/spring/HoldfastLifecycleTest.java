// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.testkit.InMemoryLocks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;

class HoldfastLifecycleTest {
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final Duration AGES = Duration.ofMinutes(10);

    private final InMemoryLocks store = InMemoryLocks.create();
    private final Holdfast locks = store.locks();
    private final GenericApplicationContext context = new GenericApplicationContext();

    @BeforeEach
    void start() {
        context.registerBean(HoldfastLifecycle.class, () -> new HoldfastLifecycle(locks, context, AGES, 7));
        context.refresh();
    }

    @AfterEach
    void end() {
        context.close();
        store.close();
    }

    @Test
    void contextClosed_closesTheLocks() {
        context.close();
        assertThatThrownBy(() -> locks.tryLock("order:42", TTL))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void contextPausedAndRestarted_keepsTheLocksOpen() {
        context.pause();
        assertThat(context.getBean(HoldfastLifecycle.class).isRunning()).isFalse();
        context.restart();
        assertThat(locks.tryLock("order:42", TTL)).isPresent().get().satisfies(Lease::release);
    }

    @Test
    void contextStopped_waitsForHoldersAndNoLonger() throws Exception {
        Lease lease = locks.tryLock("order:42", TTL).orElseThrow();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(context::stop, task -> new Thread(task).start());
        assertThatThrownBy(() -> stopped.get(100, TimeUnit.MILLISECONDS))
                .isInstanceOf(java.util.concurrent.TimeoutException.class);
        lease.release();
        stopped.get(30, TimeUnit.SECONDS);
    }

    @Test
    void phase_isTheOneAskedFor() {
        assertThat(context.getBean(HoldfastLifecycle.class).getPhase()).isEqualTo(7);
    }
}
