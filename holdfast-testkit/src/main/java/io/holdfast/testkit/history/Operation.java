// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import io.holdfast.Lease;
import io.holdfast.testkit.history.Event.Kind;
import java.time.Duration;

/**
 * One acquire, and the hold it leads to, as its process writes them down. Each method takes the time on the safe side of
 * what it records. Thread-safe.
 */
public final class Operation {
    private static final long PID = ProcessHandle.current().pid();

    private final History history;
    private final long number;
    private final String lock;
    private volatile long token;
    private volatile long validUntil;

    Operation(History history, long number, String lock) {
        this.history = history;
        this.number = number;
        this.lock = lock;
    }

    /** Before the call; a wait without end may be {@link Long#MAX_VALUE} nanoseconds. */
    public void invoked(Duration wait) {
        record(Kind.INVOKED, wait.toNanos());
    }

    /** After the call has returned a fenced lease. */
    public void granted(Lease lease) {
        long now = System.nanoTime();
        token = lease.fencingToken();
        validUntil = now + lease.remaining().toNanos();
        record(now, Kind.GRANTED, validUntil);
    }

    /** Asks the lease whether it is held, and records a yes. To be asked for more often than a renewed lease lasts. */
    public boolean check(Lease lease) {
        long now = System.nanoTime();
        long remaining = lease.remaining().toNanos();
        if (remaining > 0) {
            validUntil = now + remaining;
            record(now, Kind.CHECKED, validUntil);
        }
        return remaining > 0;
    }

    /** Before a fenced write, whether or not the lease is still held. */
    public void writing(Lease lease) {
        long now = System.nanoTime();
        record(now, Kind.WRITING, lease.isHeld() ? 1 : 0);
    }

    /** When the holder was told of the loss. */
    public void lost() {
        record(Kind.LOST, validUntil);
    }

    /** Anything that needs no value, now. */
    public void record(Kind kind) {
        record(kind, 0);
    }

    /** Anything else, now. */
    public void record(Kind kind, long value) {
        record(System.nanoTime(), kind, value);
    }

    private void record(long nanos, Kind kind, long value) {
        history.record(new Event(nanos, kind, PID, number, lock, token, value));
    }
}
