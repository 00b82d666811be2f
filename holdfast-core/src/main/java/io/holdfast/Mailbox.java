// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisReplyException;
import io.holdfast.spi.Signals;
import io.holdfast.spi.Subscriber;
import io.holdfast.spi.Subscription;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where other processes send word: one subscription on a channel of this instance, opened when somebody first has to wait and
 * kept from then on. While it is not healthy nobody joins a line, so that nobody is passed a lock it would not hear of; waiters
 * poll instead. Thread-safe; calls nobody while it holds a lock.
 *
 * <p><b>Half-open.</b> A connection whose peer vanished without a word looks open for hours, and messages sent to it are lost.
 * So it is pinged every second; one that has left two pings unanswered is given up for a new one.
 *
 * <p><b>Deaf.</b> One that answers pings but loses what is published is given up as soon as that shows: somebody finds by asking
 * that it was passed the lock.
 *
 * <p><b>Gaps.</b> Whoever waits is told when the subscription goes down and when it is there (again): what was published in
 * between is lost, so they have to look for themselves.
 *
 * <p><b>Refused.</b> Where there is no pub/sub (an ACL, a proxy, a client that lacks a jar) that is said once, and tried again
 * every minute.
 */
final class Mailbox implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Mailbox.class);
    private static final long PING_EVERY = Duration.ofSeconds(1).toNanos();
    /** One may be late on a busy machine, and giving up costs everybody here the place in the queue. */
    private static final int MOST_UNANSWERED = 2;
    /** An attempt has this long, or twice a command's time if that is more: to connect, to log in and to subscribe. */
    private static final long LEAST_TO_CONNECT = Duration.ofSeconds(5).toNanos();

    private static final long FIRST_PAUSE = Duration.ofMillis(100).toNanos();
    private static final int DOUBLINGS = 4; // to 1.6 s
    private static final long PAUSE_WHEN_REFUSED = Duration.ofMinutes(1).toNanos();

    private final RedisConnector connector;
    private final String channel;
    private final Alarms alarms;
    private final MonotonicClock clock;
    private final Alarms.Alarm retry = Alarms.Alarm.of(this::connect);
    private final AtomicReference<@Nullable Signals> signals = new AtomicReference<>();

    /** Guarded by this; read without. 0 while nothing is heard. */
    private volatile long session;
    /** Likewise; null while there is no attempt. */
    private volatile @Nullable Line line;
    // Guarded by this.
    private long sessions;
    private int failures;
    private boolean refusalSaid;
    private boolean closed;

    Mailbox(RedisConnector connector, String channel, Alarms alarms, MonotonicClock clock) {
        this.connector = connector;
        this.channel = channel;
        this.alarms = alarms;
        this.clock = clock;
    }

    /** Opens it, the first time; later calls do nothing. Returns at once: {@link #isHealthy()} tells when it is of use. */
    void open(Signals to) {
        if (signals.compareAndSet(null, to)) {
            alarms.set(retry, clock.nanoTime()); // not here: whoever has got the first lock would wait for it
        }
    }

    /** Whether word sent now would be heard, as far as the last ping tells. */
    boolean isHealthy() {
        return session != 0;
    }

    /** Which subscription this is, counted from 1; 0 while there is none. The same number twice: nothing was missed between. */
    long session() {
        return session;
    }

    /** Done when all that was published before has been heard; fails when that session is over. */
    CompletableFuture<?> caughtUp(long since) {
        Line current = lineOf(since);
        Subscription open = current == null ? null : current.subscription;
        return open == null
                ? CompletableFuture.failedFuture(RedisConnectionException.notSent("not subscribed", null))
                : open.ping().toCompletableFuture();
    }

    /** For a thread that waits: it may hear of its turn by itself. */
    void listenFor(BooleanSupplier heard) {
        Subscription open = subscription();
        if (open != null) {
            shielded(() -> {
                open.listenFor(heard);
                return true;
            });
        }
    }

    /** For a thread whose next step depends on what has come in. */
    boolean glance() {
        Subscription open = subscription();
        return open != null && shielded(open::glance);
    }

    /** Whoever waits, or releases, is not to fail on what a connector may throw. */
    private static boolean shielded(BooleanSupplier call) {
        try {
            return call.getAsBoolean();
        } catch (RuntimeException | Error e) {
            log.error("Holdfast met an error of its own", e);
            return false;
        }
    }

    private @Nullable Subscription subscription() {
        Line current = line;
        return current == null ? null : current.subscription;
    }

    /** Word was lost in that session, so more of it may be. */
    void isDeaf(long since) {
        Line current = lineOf(since);
        if (current != null) {
            giveUp(current, RedisConnectionException.noReply("word of a grant did not arrive", null));
        }
    }

    private synchronized @Nullable Line lineOf(long since) {
        return session == since ? line : null;
    }

    private void connect() {
        Line next = new Line();
        synchronized (this) {
            if (closed) {
                return;
            }
            line = next;
        }
        next.start();
    }

    @SuppressWarnings("ReferenceEquality") // that very line
    private synchronized boolean isInUse(Line which) {
        return line == which;
    }

    private synchronized boolean connected(Line which) {
        if (!isInUse(which)) {
            return false;
        }
        session = ++sessions;
        refusalSaid = false; // if it is refused again some day, that is news
        return true;
    }

    /** Not when it is connected: one that comes up and breaks at once is to be tried ever less often. */
    private synchronized void stable(Line which) {
        if (isInUse(which)) {
            failures = 0;
        }
    }

    /** Nothing happens when that line is not, or no longer, the one in use. */
    private void giveUp(Line broken, Throwable cause) {
        boolean refused =
                cause instanceof Error || (cause instanceof RedisReplyException && !BackendErrors.isPassing(cause));
        boolean wasHealthy;
        boolean news;
        long pause;
        synchronized (this) {
            if (!isInUse(broken)) {
                return;
            }
            line = null;
            wasHealthy = session != 0;
            session = 0;
            news = refused && !refusalSaid;
            refusalSaid |= refused;
            pause = refused ? PAUSE_WHEN_REFUSED : nextPause();
        }
        broken.hangUp();
        alarms.set(retry, clock.nanoTime() + pause);
        if (news) {
            log.warn(
                    "Holdfast cannot listen on {} ({}): locks work, but waiters poll and get them later;"
                            + " docs/troubleshooting.md tells what it needs",
                    channel,
                    cause.toString());
        } else {
            log.debug("Holdfast does not hear from other processes on {} for now: {}", channel, cause.toString());
        }
        if (wasHealthy) {
            tell(Signals::interrupted);
        }
    }

    /** Half of it by chance: a server that comes back is not to meet all processes at once. */
    private long nextPause() {
        long pause = FIRST_PAUSE << Math.min(DOUBLINGS, failures++);
        return pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2);
    }

    private void tell(Consumer<Signals> word) {
        Signals to = signals.get();
        if (to == null) {
            return;
        }
        try {
            word.accept(to);
        } catch (RuntimeException | Error e) {
            log.error("Holdfast met an error of its own", e);
        }
    }

    @Override
    public void close() {
        Line last;
        synchronized (this) {
            closed = true;
            session = 0;
            last = line;
            line = null;
        }
        alarms.cancel(retry);
        if (last != null) {
            last.hangUp();
        }
    }

    /** One attempt to listen, from start to end. What comes from an older one is not heard. */
    private final class Line implements Subscriber {
        private final long startedAt = clock.nanoTime();
        private final Alarms.Alarm tick = Alarms.Alarm.of(this::tick);
        private volatile @Nullable Subscription subscription;
        private volatile boolean up;
        /** Pings without an answer, in a row. */
        private final AtomicInteger unanswered = new AtomicInteger();

        void start() {
            try {
                subscription = connector.subscribe(channel, this);
            } catch (RuntimeException | Error e) {
                giveUp(this, e); // against the contract, and no reason to stop trying
                return;
            }
            alarms.set(tick, clock.nanoTime() + PING_EVERY);
            if (!isInUse(this)) {
                hangUp(); // it ended, or the mailbox was closed, before there was anything to close
            }
        }

        /** Every second: the last ping must have been answered, and the next one goes out. */
        private void tick() {
            Subscription current = subscription;
            if (current == null || !isInUse(this)) {
                return;
            }
            if (unanswered.get() >= MOST_UNANSWERED) {
                giveUp(this, RedisConnectionException.noReply("no answer to PING for two seconds", null));
            } else if (!up && clock.nanoTime() - startedAt > timeToConnect()) {
                giveUp(this, RedisConnectionException.noReply("no answer to SUBSCRIBE in time", null));
            } else {
                alarms.set(tick, clock.nanoTime() + PING_EVERY);
                ping(current);
            }
        }

        private long timeToConnect() {
            return Math.max(LEAST_TO_CONNECT, 2 * connector.commandTimeout().toNanos());
        }

        private void ping(Subscription current) {
            if (!up) {
                return;
            }
            unanswered.incrementAndGet();
            Futures.onDone(current.ping().toCompletableFuture(), (pong, failure) -> {
                if (failure == null) {
                    unanswered.set(0);
                    stable(this);
                } else {
                    giveUp(this, BackendErrors.unwrap(failure));
                }
            });
        }

        void hangUp() {
            alarms.cancel(tick);
            Subscription open = subscription;
            if (open != null) {
                open.close();
            }
        }

        @Override
        public void subscribed() {
            if (connected(this)) {
                up = true;
                tell(Signals::interrupted);
            }
        }

        @Override
        public void message(String text) {
            Word word = isInUse(this) ? Word.of(text) : null;
            if (word != null) {
                tell(word::tell);
            }
        }

        @Override
        public void ended(RuntimeException cause) {
            giveUp(this, cause);
        }
    }
}
