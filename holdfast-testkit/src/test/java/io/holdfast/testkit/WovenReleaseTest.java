// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lock;
import io.holdfast.LockBackendException;
import io.holdfast.LockEvent;
import io.holdfast.Locks;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A method with {@link Lock} whose lock can't be given back: it ran protected, so what it returns or throws stands, and who has
 * to know of the lock is told by listeners and the log.
 */
class WovenReleaseTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private final EventRecorder events = new EventRecorder();
    private final InMemoryLocks test = InMemoryLocks.create(TestClock.frozen(), builder -> builder.listener(events));
    private final CompletableFuture<String> later = new CompletableFuture<>();
    private Callable<String> work = () -> "paid";
    private final Orders orders = Locks.proxy(Orders.class, new Service(), test.locks());

    interface Orders {
        @Lock("order:{id}")
        String pay(String id) throws Exception;

        @Lock("stock:{from}")
        @Lock("stock:{to}")
        String move(String from, String to) throws Exception;

        @Lock("order:{id}")
        CompletableFuture<String> payLater(String id);
    }

    private final class Service implements Orders {
        @Override
        public String pay(String id) throws Exception {
            return work.call();
        }

        @Override
        public String move(String from, String to) throws Exception {
            return work.call();
        }

        @Override
        public CompletableFuture<String> payLater(String id) {
            return later;
        }
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(test.locks().heldLeases()).isZero();
        test.close();
    }

    @Test
    void releaseFails_theResultStands_andListenersAreTold() throws Exception {
        work = () -> {
            test.failBackend(Verb.RELEASE);
            return "paid";
        };

        assertThat(orders.pay("42")).isEqualTo("paid");

        assertTold("order:42");
    }

    @Test
    void releaseRefusedByTheServer_theResultStands_andListenersAreTold() throws Exception {
        work = () -> {
            test.failBackend("NOPERM this user has no permissions to run the 'del' command");
            return "paid";
        };

        assertThat(orders.pay("42")).isEqualTo("paid");

        assertTold("order:42");
    }

    @Test
    void releaseFails_theMethodsOwnExceptionWins_andCarriesIt() {
        IOException failure = new IOException("as the test asked for");
        test.failBackend(Verb.RELEASE);
        work = () -> {
            throw failure;
        };

        assertThatThrownBy(() -> orders.pay("42")).isSameAs(failure);

        assertThat(failure.getSuppressed())
                .hasOnlyElementsOfType(LockBackendException.class)
                .hasSize(1);
        assertTold("order:42");
    }

    @Test
    void releaseFails_ofTwoLocks_bothAreTried() throws Exception {
        test.failBackend(Verb.RELEASE);

        assertThat(orders.move("a", "b")).isEqualTo("paid");

        assertTold("stock:b", "stock:a");
    }

    @Test
    void releaseFails_theStagesValueStands_andListenersAreTold() {
        CompletableFuture<String> result = orders.payLater("42");
        test.failBackend(Verb.RELEASE);

        later.complete("paid later");

        assertThat(result).succeedsWithin(LONG).isEqualTo("paid later");
        assertTold("order:42");
    }

    @Test
    void releaseFails_theStagesOwnFailureWins_andCarriesIt() {
        IllegalStateException failure = new IllegalStateException("as the test asked for");
        CompletableFuture<String> result = orders.payLater("42");
        test.failBackend(Verb.RELEASE);

        later.completeExceptionally(failure);

        assertThat(result)
                .failsWithin(LONG)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isSameAs(failure);
        assertThat(failure.getSuppressed())
                .hasOnlyElementsOfType(LockBackendException.class)
                .hasSize(1);
        assertTold("order:42");
    }

    private void assertTold(String... keys) {
        assertThat(events.of("releaseFailed")).extracting(LockEvent::key).containsExactly(keys);
        assertThat(events.of("releaseFailed"))
                .extracting(LockEvent::cause)
                .hasOnlyElementsOfType(LockBackendException.class);
        assertThat(events.kinds()).doesNotContain("released", "lost");
    }
}
