// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.awaitility.Awaitility.await;

import io.holdfast.spi.InMemoryBackend;
import io.holdfast.spi.LockBackend;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What only a clock moved by hand can show: the rest of renewal is checked by the contract suites. */
class LeaseKeeperTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    private final HandClock clock = new HandClock();
    private final AtomicInteger renewals = new AtomicInteger();
    private final Holdfast locks = Holdfast.builder()
            .backend(withoutAnswersToRenewals())
            .clock(clock)
            .closeWait(Duration.ZERO)
            .build();

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void renewal_stillUnansweredAtTheEndOfTheLease_doesNotHoldUpTheTelling() {
        AtomicReference<LostReason> told = new AtomicReference<>();
        Lease lease = locks.lock("order:42", options -> options.ttl(TTL).renew(true))
                .acquire()
                .onLost(told::set);
        clock.advance(TTL.dividedBy(3));
        await().until(() -> renewals.get() == 1);

        clock.advance(lease.remaining());

        await().until(() -> told.get() == LostReason.EXPIRED);
    }

    private LockBackend withoutAnswersToRenewals() {
        InMemoryBackend store = new InMemoryBackend(clock);
        return (LockBackend) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {LockBackend.class}, (proxy, verb, arguments) -> {
                    if (verb.getName().equals("renew")) {
                        renewals.incrementAndGet();
                        return new CompletableFuture<>();
                    }
                    return verb.invoke(store, arguments);
                });
    }
}
