// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;

/** Root of the suites about processes that wait for each other: one holds, others stand in the queue, all on one server. */
@NullUnmarked
public abstract class WaitingContract extends ProtocolContract {
    /** Longer than any test: only a release, never the end of a lease, can let a waiter in. */
    protected static final Duration TTL = Duration.ofSeconds(30);

    /** Whoever arrived longer ago than this is passed a lock for a moment only: who is faster is handed it for good. */
    private static final long LONG_MICROS = 10_000;

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<CompletableFuture<Lease>> waiters = new ArrayList<>();
    private final Map<Holdfast, EventRecorder> recorders = new HashMap<>();

    @AfterEach
    void endWaits() {
        waiters.forEach(waiter -> waiter.cancel(true));
    }

    /** Takes the lock, which must be free. */
    protected final Lease hold(Holdfast process) {
        return process.tryLock(key, TTL).orElseThrow();
    }

    /** One more process that hears from others by now. */
    protected final Holdfast listener() {
        return listener(builder -> {});
    }

    /** The same behind a network that can be tampered with. */
    protected final Holdfast listener(TamperingConnector network) {
        return listener(builder -> builder.connector(network));
    }

    /** The same with settings of its own. */
    protected final Holdfast listener(Consumer<Holdfast.Builder> settings) {
        EventRecorder events = new EventRecorder();
        Holdfast process = another(builder -> settings.accept(builder.listener(events)));
        recorders.put(process, events);
        return listening(process);
    }

    /** How many callers of a process made by {@code listener()} found the lock taken so far, and stay or stayed for it. */
    protected final int haveWaited(Holdfast process) {
        return recorders.get(process).of("contended").size();
    }

    /** Waits for the lock in the background, as one that is known in its process, or to Redis, when this returns. */
    protected final CompletableFuture<Lease> lineUp(Holdfast process, Consumer<LockOptions.Builder> terms) {
        int before = haveWaited(process);
        CompletableFuture<Lease> waiter = waiting(process, terms);
        await().until(() -> haveWaited(process) > before);
        await().until(WaitingContract::nobodyIsOnItsWay); // listeners are told first
        return waiter;
    }

    /** Whether no thread is about to be held back: then the order in which callers lined up is theirs in the process, too. */
    private static boolean nobodyIsOnItsWay() {
        return Thread.getAllStackTraces().values().stream()
                .flatMap(Arrays::stream)
                .noneMatch(frame -> frame.getClassName().equals("io.holdfast.Convoys")
                        && frame.getMethodName().equals("holdBack"));
    }

    /** Returns once that process hears from others: then it releases a lock nobody wants without a look at the queue. */
    protected final Holdfast listening(Holdfast process) {
        try (Monitor monitor = monitor()) {
            await().until(() -> {
                int before = monitor.lines().size();
                process.tryLock(key + ":any", TTL).orElseThrow().release();
                return monitor.lines().stream()
                        .skip(before)
                        .noneMatch(line -> line.contains("ZPOPMIN") && line.contains(key));
            });
        }
        return process;
    }

    /** Where a process listens: its locks name it. */
    protected final String channel(Holdfast process) {
        Lease any = process.tryLock(key + ":any", TTL, PATIENCE).orElseThrow();
        any.release();
        return "holdfast:ch:" + any.token().substring(22, 34);
    }

    /** Waits for the lock in the background, as one that has been listed for long when this returns. */
    protected final CompletableFuture<Lease> queue(Holdfast process) {
        return queue(process, options -> options.ttl(TTL));
    }

    /** The same on other terms. */
    protected final CompletableFuture<Lease> queue(Holdfast process, Consumer<LockOptions.Builder> terms) {
        List<String> before = queued();
        CompletableFuture<Lease> waiter = waiting(process, terms);
        await().until(() -> queued().size() == before.size() + 1);
        long since = serverMicros();
        await().until(() -> serverMicros() - since > LONG_MICROS);
        return waiter;
    }

    /** Makes an entry one that has arrived in this very moment, and behind all others; and so it stays for a minute. */
    protected final void arrivedJustNow(String entry) {
        raw().call("ZADD", queueKey(), "XX", inAMinute(), entry);
    }

    /** Later than any other, and not long ago for a minute to come. */
    protected final String inAMinute() {
        return Long.toString(serverMicros() + 60_000_000);
    }

    private long serverMicros() {
        List<?> time = (List<?>) Objects.requireNonNull(raw().call("TIME"));
        return Long.parseLong(time.get(0) + String.format("%06d", Long.parseLong(String.valueOf(time.get(1)))));
    }

    /** Waits for the lock in the background, listed or not. */
    protected final CompletableFuture<Lease> waiting(Holdfast process, Consumer<LockOptions.Builder> terms) {
        CompletableFuture<Lease> waiter = process.lock(key, options -> {
                    options.wait(PATIENCE);
                    terms.accept(options);
                })
                .acquireAsync();
        waiters.add(waiter);
        return waiter;
    }

    /** Who stands in the queue, first one first: a letter and a token each. */
    protected final List<String> queued() {
        return ((List<?>) Objects.requireNonNull(raw().call("ZRANGE", queueKey(), "0", "-1")))
                .stream().map(String::valueOf).toList();
    }

    /** The key of the queue. */
    protected final String queueKey() {
        return companion("queue");
    }

    /** What a message calls an entry of the queue, or a lease's token, by. */
    protected static String id(String entryOrToken) {
        boolean entry = entryOrToken.indexOf('.') == 35;
        return entryOrToken.substring(entry ? 1 : 0, entry ? 35 : 34);
    }

    /** The grants that were published, by the id they were for. */
    protected final List<String> toldOfTheirTurn(Monitor monitor) {
        return published(monitor, "[gG]");
    }

    /** The messages of a kind, given as a pattern of its letter, that scripts published, by the id they were for. */
    protected final List<String> published(Monitor monitor, String kind) {
        return monitor.lines().stream()
                .filter(line -> line.contains(" lua] \"PUBLISH\""))
                .map(line -> line.split("\"", -1)[5])
                .filter(message -> message.matches(kind + ".{34,}"))
                .map(message -> message.substring(1, 35))
                .toList();
    }

    /** Nothing of this test's lock is on the server. */
    protected final void assertNothingLeft() {
        await().until(() -> backdoor.keysContaining(key).isEmpty());
    }

    /** The lease a waiter got, at the latest after a while. */
    protected static Lease granted(CompletableFuture<Lease> waiter) {
        await().until(waiter::isDone);
        return waiter.join();
    }
}
