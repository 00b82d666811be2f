// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.spi.InMemoryBackend;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.ReleaseRequest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where callers may listen for word themselves: who does, and what a release makes of it. */
class CallersListenTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    /** The common pool has a single one on two processors. */
    private static final Executor OWN_THREAD = task -> new Thread(task).start();

    private final InMemoryBackend store = new InMemoryBackend(MonotonicClock.SYSTEM);
    private final Listened listened = new Listened();
    private final Holdfast here =
            Holdfast.builder().backend(listened.before(store)).build();
    private final Holdfast there = Holdfast.builder().backend(store).build();

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    @Test
    void callerThatWaits_listens_andActsOnWhatItHears() {
        Lease other = there.lock("order:1").tryAcquire(TTL).orElseThrow();
        listened.meanwhile = other::release; // by the caller's own thread: the word is heard there

        Optional<Lease> lease = here.tryLock("order:1", TTL, TTL);

        assertThat(lease).isPresent();
        assertThat(listened.by).containsOnly(Thread.currentThread());
    }

    @Test
    void ofThoseWhoWaitInAProcess_onlyTheOneWhoAsksListens() throws Exception {
        Lease other = there.lock("order:1").tryAcquire(TTL).orElseThrow();
        CompletableFuture<Boolean> one = CompletableFuture.supplyAsync(this::section, OWN_THREAD);
        CompletableFuture<Boolean> another = CompletableFuture.supplyAsync(this::section, OWN_THREAD);
        await().until(() -> here.waiting().size() == 2 && !listened.by.isEmpty());

        other.release();

        assertThat(one.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(another.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(Set.copyOf(listened.by)).hasSize(1);
    }

    private boolean section() {
        return here.tryLock("order:1", TTL, TTL).orElseThrow().release();
    }

    @Test
    void release_whileWordIsLeftToCallers_looksAtTheQueue() {
        listened.leftToCallers = true;
        here.tryLock("order:1", TTL).orElseThrow().release();
        listened.leftToCallers = false;
        here.tryLock("order:1", TTL).orElseThrow().release();

        assertThat(listened.releases).extracting(ReleaseRequest::wanted).containsExactly(true, false);
    }

    /** A store whose word a caller hears, as far as one can tell. */
    private static final class Listened {
        final List<Thread> by = new CopyOnWriteArrayList<>();
        final List<ReleaseRequest> releases = new CopyOnWriteArrayList<>();
        volatile Runnable meanwhile = () -> {};
        volatile boolean leftToCallers;

        LockBackend before(LockBackend store) {
            return (LockBackend) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {LockBackend.class},
                    (proxy, method, args) -> call(store, method, args));
        }

        private @Nullable Object call(LockBackend store, Method method, Object @Nullable [] args) throws Throwable {
            switch (method.getName()) {
                case "listenFor" -> {
                    by.add(Thread.currentThread());
                    meanwhile.run();
                    await().until(((BooleanSupplier) args[0])::getAsBoolean);
                    return null;
                }
                case "glance" -> {
                    return leftToCallers;
                }
                case "release" -> releases.add((ReleaseRequest) args[0]);
                default -> {}
            }
            try {
                return method.invoke(store, args);
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        }
    }
}
