// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.Holdfast;
import io.holdfast.LockOptions;
import io.holdfast.spi.InMemoryBackend;
import io.holdfast.spi.LockName;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisReplyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * Locks for an application's own tests: the real engine on a store inside this process, with a clock that can be moved and
 * faults on demand. No server, no network. Close it after the test. Thread-safe.
 *
 * <pre>{@code
 * try (InMemoryLocks test = InMemoryLocks.frozen()) {
 *     OrderService orders = new OrderService(test.locks());
 *     orders.onWork(() -> test.expire("order:42"));        // the worst moment
 *     assertThatThrownBy(() -> orders.pay(42)).isInstanceOf(LockLostException.class);
 * }
 * }</pre>
 */
public final class InMemoryLocks implements AutoCloseable {
    private static final String REFUSED = "connection refused, as the test asked for";

    private final TestClock clock;
    private final Consumer<Holdfast.Builder> settings;
    private final InMemoryBackend store;
    private final FaultyBackend backend;
    private final Holders holders = new Holders();
    private final List<Holdfast> processes = new ArrayList<>();
    private final Holdfast locks;

    private InMemoryLocks(TestClock clock, Consumer<Holdfast.Builder> settings) {
        this.clock = clock;
        this.settings = settings;
        this.store = new InMemoryBackend(clock);
        this.backend = new FaultyBackend(store);
        this.locks = anotherProcess();
    }

    /** On a clock that runs with real time: waiting works as in production. */
    public static InMemoryLocks create() {
        return create(TestClock.ticking(), builder -> {});
    }

    /** On a clock that stands still until it is moved: no test depends on how fast the machine is. */
    public static InMemoryLocks frozen() {
        return create(TestClock.frozen(), builder -> {});
    }

    /** With a clock and settings of the test's own, such as listeners or default options. */
    public static InMemoryLocks create(TestClock clock, Consumer<Holdfast.Builder> settings) {
        return new InMemoryLocks(clock, settings);
    }

    /** What the code under test gets: a {@link io.holdfast.LockManager}. */
    public Holdfast locks() {
        return locks;
    }

    /** One more process on the same store, to compete with; closed with this object. */
    public Holdfast anotherProcess() {
        Holdfast.Builder builder =
                Holdfast.builder().backend(backend).clock(clock).closeWait(Duration.ZERO);
        settings.accept(builder);
        Holdfast process = builder.listener(holders).build();
        synchronized (processes) {
            processes.add(process);
        }
        return process;
    }

    /** The clock all of this runs on. */
    public TestClock clock() {
        return clock;
    }

    /**
     * Lets a held lock's time run out, as if its holder had been paused that long: moves the clock past the end of the key.
     * That is late for every other lease too that ends, or should have been renewed to its end, before then. Returns once the
     * lease is lost; {@code onLost} callbacks run on threads of their own.
     *
     * @throws IllegalStateException when nobody holds that lock
     */
    public void expire(String key) {
        LockName name = held(key);
        int leases = holders.begun(key);
        clock.advance(Duration.ofMillis(store.pttl(name.lockKey()) + 1));
        holders.awaitEnded(key, leases);
    }

    /**
     * Removes a held lock's key, as {@code DEL}, an eviction or a lossy failover would. A renewed lease learns of it at its
     * next renewal: this moves the clock there and returns once the holder has been told. A fixed lease learns of it when it
     * is released or renewed by hand, or when its time is up.
     *
     * @throws IllegalStateException when nobody holds that lock
     */
    public void lose(String key) {
        LockName name = held(key);
        int leases = holders.begun(key);
        long left = store.pttl(name.lockKey());
        store.delete(name.lockKey());
        LockOptions options = holders.options(key).orElseThrow();
        if (options.renews()) {
            Duration almostAll = Duration.ofMillis(left * 9 / 10); // the renewal is to find out, not the clock
            Duration renewal = options.renewInterval();
            clock.advance(renewal.compareTo(almostAll) < 0 ? renewal : almostAll);
            holders.awaitEnded(key, leases);
        }
    }

    /** From now on these verbs (without any: all) are refused like a connection to a server that is down. */
    public void failBackend(Verb... verbs) {
        backend.fail(all(verbs), RedisConnectionException.notSent(REFUSED, null));
    }

    /** From now on every verb is answered with an error of the server, such as {@code NOAUTH Authentication required}. */
    public void failBackend(String serverError) {
        backend.fail(EnumSet.allOf(Verb.class), new RedisReplyException(serverError));
    }

    /**
     * From now on these verbs (without any: all) get no answer. They count as unanswered after 2 s of this object's clock, and
     * are carried out, late, by {@link #healBackend()}.
     */
    public void hangBackend(Verb... verbs) {
        backend.hang(all(verbs));
    }

    /** Ends every failure and hang. */
    public void healBackend() {
        backend.heal();
    }

    /** Closes every process; what they still hold is lost to them at once. */
    @Override
    public void close() {
        List<Holdfast> open;
        synchronized (processes) {
            open = List.copyOf(processes);
        }
        open.forEach(Holdfast::close);
    }

    private LockName held(String key) {
        return backend.name(key)
                .filter(name -> store.pttl(name.lockKey()) >= 0)
                .orElseThrow(() -> new IllegalStateException("nobody holds lock " + key));
    }

    private static Collection<Verb> all(Verb... verbs) {
        return verbs.length == 0 ? EnumSet.allOf(Verb.class) : List.of(verbs);
    }
}
