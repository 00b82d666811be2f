// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection, opened by the first command that finds none open. Commands that come meanwhile wait for the same
 * attempt; a failed attempt fails them and is forgotten, so the next command tries again at once and learns the true
 * reason. Lettuce's own reconnecting would back off for up to 30 s and reject commands with no reason meanwhile.
 *
 * <p>A peer that vanished without a word leaves the connection open, and TCP takes a quarter of an hour to say so. Replies
 * come in order, so one command unanswered for its whole timeout means that nothing came since: the peer has vanished, or
 * the server stands still. Only another connection can tell. One is opened beside it, and whichever answers first stays: a
 * server that stood still answers what it was asked before it greets a newcomer. Commands wait for that; sent to a peer that
 * may have vanished, they would be as good as lost for another timeout, and an acquire's fate unknown.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the callbacks do not throw, and nobody waits for a close
final class ReopeningLink implements Link {
    private static final long SOON = Duration.ofSeconds(1).toNanos();
    /** What Lettuce says of a connection that was closed while, or before, it began to greet the server. */
    private static final Set<String> REASONS_LOST =
            Set.of("Connection closed prematurely", "RedisHandshakeHandler not registered");

    private final Supplier<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> opener;
    private final Consumer<@Nullable StatefulRedisConnection<byte[], byte[]>> closer;
    private final BiConsumer<StatefulRedisConnection<byte[], byte[]>, WireCommand> writer;
    private volatile @Nullable StatefulRedisConnection<byte[], byte[]> current;
    /** One of the commands in flight, by which a stall is noticed; a lost update only delays that. */
    private volatile @Nullable WireCommand sample;

    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by lock.
    private @Nullable CompletableFuture<StatefulRedisConnection<byte[], byte[]>> attempt;
    private boolean closed;

    /** The closer gets the last connection, if there is one; the writer must not throw. */
    ReopeningLink(
            Supplier<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> opener,
            Consumer<@Nullable StatefulRedisConnection<byte[], byte[]>> closer,
            BiConsumer<StatefulRedisConnection<byte[], byte[]>, WireCommand> writer) {
        this.opener = opener;
        this.closer = closer;
        this.writer = writer;
    }

    @Override
    public void dispatch(WireCommand wire) {
        StatefulRedisConnection<byte[], byte[]> connection = current;
        if (connection != null && connection.isOpen() && answers(wire)) {
            write(connection, wire, 2);
        } else {
            writeOnceConnected(wire, 1);
        }
    }

    /** Lettuce calls a connection open for a while after it died, and turns commands down meanwhile. */
    private void write(StatefulRedisConnection<byte[], byte[]> connection, WireCommand wire, int otherConnections) {
        if (otherConnections > 0) {
            wire.ifTurnedDown(() -> {
                giveUp(connection);
                writeOnceConnected(wire, otherConnections - 1);
            });
        }
        wire.ifBroken(
                () -> giveUp(connection)); // Lettuce calls it open until later, and a second try would go there too
        writer.accept(connection, wire);
    }

    private void writeOnceConnected(WireCommand wire, int otherConnections) {
        connected().whenComplete((opened, failure) -> {
            if (failure == null) {
                write(opened, wire, otherConnections);
            } else {
                wire.connectFailed(failure);
            }
        });
    }

    private boolean answers(WireCommand next) {
        WireCommand pending = sample;
        if (pending == null || pending.isDone()) {
            sample = next;
            return true;
        }
        return !pending.isOverdue();
    }

    private boolean answers() {
        WireCommand pending = sample;
        return pending == null || !pending.isOverdue();
    }

    @SuppressWarnings("ReferenceEquality") // that very connection
    private void giveUp(StatefulRedisConnection<byte[], byte[]> dead) {
        lock.lock();
        try {
            if (current != dead) {
                return;
            }
            current = null;
            sample = null;
        } finally {
            lock.unlock();
        }
        dead.closeAsync(); // what was in flight ends as unanswered
    }

    private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connected() {
        CompletableFuture<StatefulRedisConnection<byte[], byte[]>> mine = new CompletableFuture<>();
        StatefulRedisConnection<byte[], byte[]> dead = null;
        lock.lock();
        try {
            if (attempt != null) {
                return attempt;
            }
            StatefulRedisConnection<byte[], byte[]> present = current;
            if (present != null && present.isOpen() && answers()) {
                return CompletableFuture.completedFuture(present);
            }
            if (closed) {
                return CompletableFuture.failedFuture(new IllegalStateException("the connector is closed"));
            }
            attempt = mine;
            if (present != null && !present.isOpen()) {
                dead = present;
                current = null;
            }
        } finally {
            lock.unlock();
        }
        if (dead != null) {
            dead.closeAsync(); // on an application's client it would reconnect some day, and stay
        }
        open(mine, true);
        return mine;
    }

    /** @param again whether there is another try when the reason of a failure got lost */
    private void open(CompletableFuture<StatefulRedisConnection<byte[], byte[]>> mine, boolean again) {
        CompletionStage<StatefulRedisConnection<byte[], byte[]>> opening;
        try {
            opening = opener.get();
        } catch (RuntimeException e) {
            opening = CompletableFuture.failedFuture(e); // the application has shut its client down
        }
        long startedAt = System.nanoTime();
        opening.whenComplete((opened, failure) -> {
            boolean soon = System.nanoTime() - startedAt < SOON; // after a time-out there is no time for another try
            if (again && soon && failure != null && isReasonLost(failure)) {
                open(mine, false);
            } else {
                opened(mine, opened, failure);
            }
        });
    }

    /**
     * Lettuce closes a connection the server refused, say for a wrong password, and now and then reports that it was closed
     * and not why. The server says why when it is asked again.
     */
    private static boolean isReasonLost(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (REASONS_LOST.contains(String.valueOf(cause.getMessage()))) {
                return true;
            }
        }
        return false;
    }

    private void opened(
            CompletableFuture<StatefulRedisConnection<byte[], byte[]>> mine,
            @Nullable StatefulRedisConnection<byte[], byte[]> opened,
            @Nullable Throwable failure) {
        StatefulRedisConnection<byte[], byte[]> chosen = null;
        StatefulRedisConnection<byte[], byte[]> unwanted = opened;
        Throwable reason = failure != null ? failure : new IllegalStateException("the connector is closed");
        lock.lock();
        try {
            attempt = null;
            StatefulRedisConnection<byte[], byte[]> before = current;
            if (before != null && before.isOpen() && answers()) {
                chosen = before; // the server only stood still
            } else if (opened != null && !closed) {
                chosen = opened;
                unwanted = before;
                current = opened;
                sample = null;
            }
        } finally {
            lock.unlock();
        }
        if (unwanted != null) {
            unwanted.closeAsync(); // what was in flight ends as unanswered
        }
        if (chosen != null) {
            mine.complete(chosen);
        } else {
            mine.completeExceptionally(reason);
        }
    }

    @Override
    public void close() {
        StatefulRedisConnection<byte[], byte[]> last;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            last = current;
            current = null;
        } finally {
            lock.unlock();
        }
        closer.accept(last);
    }
}
