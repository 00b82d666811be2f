// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import java.util.Locale;

/**
 * One record of a history: what a process did or saw, and when. On Linux {@link System#nanoTime} is one clock for all
 * processes of a machine, so histories of several JVMs share a timeline.
 *
 * <p>The instant is that of the caller, on the safe side of what it stands for: taken after an acquire has returned, before
 * a release or a write begins, and before a lease is asked whether it is held.
 *
 * <p>Re-entry: the leases of one owner overlap by design and share a token. An acquire that may re-enter says on whose
 * behalf with {@link Kind#OWNED}; one without it excludes everybody.
 *
 * @param nanos monotonic time
 * @param kind what happened
 * @param pid whom it happened to; 0 for the server
 * @param op number of the acquire it belongs to, unique within its process; 0 where it belongs to none
 * @param lock business key, printable ASCII without blanks, or {@link #NO_LOCK}
 * @param token fencing token of the lease, 0 where there is none
 * @param value see {@link Kind}, else 0
 */
public record Event(long nanos, Kind kind, long pid, long op, String lock, long token, long value) {
    /** In place of a lock: the event is about none, or about all. */
    public static final String NO_LOCK = "-";

    /** What can happen; the order is about that of one critical section. */
    public enum Kind {
        /** A process is about to contend. */
        READY,
        /** Value: TTL of the leases that this acquire, or with op 0 every acquire of this process, asks for, in nanoseconds. */
        LEASE,
        /** Such leases are renewed; value: how often, in nanoseconds. */
        RENEWING,
        /** Before {@link #INVOKED}: this acquire may re-enter; value: its owner's number, the same in all processes, not 0. */
        OWNED,
        /** An acquire begins; value: how long it will wait at most, in nanoseconds. */
        INVOKED,
        /** It returned a lease; value: until when that lease claims to be valid. */
        GRANTED,
        /** It gave up: another holds the lock. */
        BUSY,
        /** Redis could not be asked, by an acquire, a write or a release. */
        FAILED,
        /** It ended, and nobody knows whether it got the lock. */
        UNKNOWN,
        /** Its caller withdrew it. */
        CANCELLED,
        /** The critical section begins. */
        ENTERED,
        /** It will last until the lease is lost, for somebody to kill or pause the process. */
        LINGERING,
        /** The lease was asked and said that it is held; value: until when. A renewed one: more often than it lasts. */
        CHECKED,
        /** The fenced write to the value of the lock begins; value: 1 if the lease said at that time that it is held. */
        WRITING,
        /** The store took it. */
        WRITTEN,
        /** The store refused it as stale. */
        REJECTED,
        /** The critical section is over, and the release begins. */
        LEFT,
        /** The release said that the lock had been held to the end. */
        RELEASED,
        /** The release said that it had not. */
        LATE,
        /** The holder was told of the loss; value: until when the lease had claimed to be valid, 0 if that is unknown. */
        LOST,
        /** The process ends of its own accord, and what it has under way with it. */
        ENDED,
        /** By the injector: SIGKILL, in the middle of a hold if it names a lock; value: when the process was seen dead. */
        KILLED,
        /** By the injector: the process was sent SIGSTOP. */
        PAUSED,
        /** By the injector: the process was sent SIGCONT. */
        RESUMED,
        /** By the injector: a {@link Fault} begins, named in place of the lock; of one process if it names one. */
        FAULT_BEGINS,
        /** By the injector: that fault is over. */
        FAULT_ENDS,
        /** By the injector: the lock's key, or with {@link #NO_LOCK} all of them, was removed; value: when that was done. */
        REMOVED
    }

    /** Refuses a lock that would not survive being written down. */
    public Event {
        for (int i = 0; i < lock.length(); i++) {
            if (lock.charAt(i) <= ' ' || lock.charAt(i) > '~') {
                throw new IllegalArgumentException("neither blanks nor other than ASCII in a history: " + lock);
            }
        }
    }

    /** Something that happens now to a whole process. */
    public static Event of(Kind kind, long pid) {
        return new Event(System.nanoTime(), kind, pid, 0, NO_LOCK, 0, 0);
    }

    /** The begin or end, now, of a fault that everybody sees. */
    public static Event of(Kind kind, Fault fault) {
        return new Event(System.nanoTime(), kind, 0, 0, fault.name().toLowerCase(Locale.ROOT), 0, 0);
    }

    /** The same about a lock, or about the {@link Fault} of that name. */
    public Event withLock(String named) {
        return new Event(nanos, kind, pid, op, named, token, value);
    }

    /** The same at another instant. */
    public Event withNanos(long other) {
        return new Event(other, kind, pid, op, lock, token, value);
    }

    /** The same with a value. */
    public Event withValue(long other) {
        return new Event(nanos, kind, pid, op, lock, token, other);
    }

    /** The same as it happened to one process. */
    public Event withPid(long other) {
        return new Event(nanos, kind, other, op, lock, token, value);
    }

    /**
     * The fault that begins or ends.
     *
     * @throws IllegalArgumentException if it is none
     */
    public Fault fault() {
        return Fault.valueOf(lock.toUpperCase(Locale.ROOT));
    }

    /** The form in a file: seven words, a blank between them. */
    public String line() {
        return nanos + " " + kind.name().toLowerCase(Locale.ROOT) + " " + pid + " " + op + " " + lock + " " + token
                + " " + value;
    }

    /**
     * Reads what {@link #line} wrote.
     *
     * @throws IllegalArgumentException for anything else
     */
    public static Event parse(String line) {
        return new LineReader(line).event();
    }
}
