// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.FailurePolicy;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A process passes the lock on to another and waits again: its waits that run out are for a busy lock, not for an outage. */
public abstract class BusyAfterAVisitContract extends WaitingContract {
    @Test
    void waitThatRunsOutAfterTheLockWasPassedOn_isBusyAndNotAnOutage() throws Exception {
        Holdfast process = listener();
        Lease first = process.tryLock(key, TTL, TTL).orElseThrow();
        CompletableFuture<Lease> other = queue(listener());
        Worker<Boolean> next =
                Worker.start(() -> process.tryLock(key, TTL, ms(700)).isPresent());
        await().until(() -> process.waitingAcquires() == 1);
        elapse(ms(50)); // longer than threads of one process may go on: the lock goes to the other, and next stands in
        // line

        assertThat(first.release()).isTrue();

        Lease held = granted(other);
        assertThat(next.result()).as("got the lock").isFalse();
        assertThat(held.isHeld()).isTrue();
    }

    @Test
    void waitThatRunsOutAfterTheLockWasPassedOn_isNotDegraded() throws Exception {
        Holdfast process = listener();
        Lease first = process.tryLock(key, TTL, TTL).orElseThrow();
        CompletableFuture<Lease> other = queue(listener());
        Worker<Boolean> next = Worker.start(() -> process.lock(
                        key, options -> options.ttl(TTL).renew(false).onUnavailable(FailurePolicy.PROCEED))
                .tryAcquire(ms(700))
                .isPresent());
        await().until(() -> process.waitingAcquires() == 1);
        elapse(ms(50));

        assertThat(first.release()).isTrue();

        Lease held = granted(other);
        assertThat(next.result()).as("went on beside the holder").isFalse();
        assertThat(held.isHeld()).isTrue();
    }
}
