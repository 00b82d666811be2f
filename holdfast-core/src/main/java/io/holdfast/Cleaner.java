// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockName;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Undoes acquires nobody waits for any more, in the background, whatever their caller does.
 *
 * <p>An acquire without an answer may still be under way on a connection that this clean-up overtakes: deleting once is not
 * enough, for the late copy then takes the lock for a whole TTL. So a token is cleaned up again and again, after 50 ms,
 * 200 ms, 1 s and then twice as long each time, until the old answers have come in or one TTL has passed since the start.
 */
final class Cleaner {
    private static final Logger log = LoggerFactory.getLogger(Cleaner.class);
    private static final List<Duration> FIRST_PAUSES =
            List.of(Duration.ofMillis(50), Duration.ofMillis(200), Duration.ofSeconds(1));

    private final Engine engine;
    private final Set<CleanUp> underWay = ConcurrentHashMap.newKeySet();

    Cleaner(Engine engine) {
        this.engine = engine;
    }

    /** Undoes a token whose acquires may have been, or may yet be, carried out. */
    void abandon(Target target, Collection<CompletableFuture<?>> unanswered) {
        start(new CleanUp(target, unanswered, false));
    }

    /** Takes a token whose tries have all been answered off the server: done once it has got through. */
    void leave(Target target) {
        start(new CleanUp(target, List.of(), true));
    }

    /** The lock was passed on to a token that is being cleaned up: until that is done nobody has it. */
    void passedOn(String word) {
        underWay.stream()
                .filter(cleanUp -> cleanUp.target.token.startsWith(word))
                .forEach(CleanUp::hurry);
    }

    /** Redis may have been out of reach: what was sent meanwhile may be carried out only now, and the next try be late. */
    void hurry() {
        underWay.forEach(CleanUp::hurry);
    }

    /** Redis answers: what could not be said to it before need not wait any longer. */
    void answered(LockBackend backend) {
        if (!underWay.isEmpty()) {
            underWay.stream()
                    .filter(cleanUp -> cleanUp.failed && cleanUp.target.backend.equals(backend))
                    .forEach(CleanUp::hurry);
        }
    }

    int underWay() {
        return underWay.size();
    }

    private void start(CleanUp cleanUp) {
        if (engine.isStopped()) {
            return; // what is still there ends with its TTL
        }
        underWay.add(cleanUp);
        cleanUp.sendBySender();
    }

    /** The token to undo, and where. */
    record Target(LockBackend backend, LockName name, String token, LockOptions options) {}

    private final class CleanUp {
        private final Target target;
        private final Collection<CompletableFuture<?>> unanswered;
        private final boolean onceIsEnough;
        private final long endsAt;
        private final Alarms.Alarm again = Alarms.Alarm.of(this::sendBySender);
        private final AtomicInteger sent = new AtomicInteger();
        private volatile boolean failed;

        CleanUp(Target target, Collection<CompletableFuture<?>> unanswered, boolean onceIsEnough) {
            this.target = target;
            this.unanswered = unanswered;
            this.onceIsEnough = onceIsEnough;
            this.endsAt = engine.clock.nanoTime()
                    + TimeUnit.MILLISECONDS.toNanos(target.options.terms().keyLifeMillis(target.options.ttl()));
        }

        /** Not when the next try is due, which after an outage may be late; and those after it soon again. */
        void hurry() {
            engine.alarms.cancel(again);
            sent.set(0);
            failed = false; // once for many answers
            sendBySender();
        }

        void sendBySender() {
            try {
                engine.sender(target.backend).execute(this::send);
            } catch (
                    RejectedExecutionException
                            e) { // closed meanwhile, with its threads: what is there ends with its TTL
                underWay.remove(this);
            }
        }

        void send() {
            boolean allAnswered = !unanswered.isEmpty() && unanswered.stream().allMatch(CleanUp::isAnswered);
            sent.incrementAndGet();
            LockBackend backend = target.backend;
            CompletableFuture<Boolean> reply = engine.alarms.within(
                    backend.abandon(
                            target.name, target.token, target.options.owner().isPresent()),
                    backend.commandTimeout().toNanos(),
                    "abandon");
            Futures.onDone(reply, (undone, failure) -> {
                failed = failure != null;
                next(failure == null && (onceIsEnough || allAnswered));
                if (failure == null) {
                    answered(backend);
                }
            });
        }

        private void next(boolean done) {
            long now = engine.clock.nanoTime();
            int times = Math.max(1, sent.get()); // 0 when it was just told to begin anew
            long pause = (times <= FIRST_PAUSES.size()
                            ? FIRST_PAUSES.get(times - 1)
                            : Duration.ofSeconds(1L << Math.min(10, times - FIRST_PAUSES.size())))
                    .toNanos();
            if (done || endsAt - now <= 0 || engine.isStopped()) {
                underWay.remove(this);
                log.debug(
                        "Cleaned up {} of lock {} with {} command(s)",
                        Tokens.hint(target.token),
                        target.name.key(),
                        times);
            } else {
                engine.alarms.set(again, now + Math.min(pause, endsAt - now));
            }
        }

        private static boolean isAnswered(CompletableFuture<?> reply) {
            return reply.isDone()
                    && (!reply.isCompletedExceptionally()
                            || !BackendErrors.isAmbiguous(BackendErrors.unwrap(failureOf(reply))));
        }

        private static Throwable failureOf(CompletableFuture<?> reply) {
            return reply.handle((value, failure) -> failure).join();
        }
    }
}
