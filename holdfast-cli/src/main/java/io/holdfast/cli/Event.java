// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import java.util.List;
import java.util.Locale;

/**
 * One record of a history: what a process did or saw, and when. On Linux {@link System#nanoTime} is one clock for all
 * processes of a machine, so histories of several JVMs share a timeline.
 *
 * @param nanos monotonic time
 * @param kind what happened
 * @param pid whom it happened to
 * @param lock business key, or {@link #NO_LOCK}
 * @param token fencing token of the lease, 0 where there is none yet
 * @param value see {@link Kind}, else 0
 */
record Event(long nanos, Kind kind, long pid, String lock, long token, long value) {
    static final String NO_LOCK = "-";

    /** What can happen; the order is that of one critical section. */
    enum Kind {
        /** A worker is about to contend. */
        READY,
        /** An acquire begins. */
        INVOKED,
        /** It returned a lease; value: until when that lease claims to be valid. */
        GRANTED,
        /** The critical section begins. */
        ENTERED,
        /** It will last until the lease is lost, for the demo to kill or pause the process. */
        LINGERING,
        /** The fenced write begins; value: 1 if the lease claimed to be held at that time. */
        WRITING,
        /** The store took it. */
        WRITTEN,
        /** The store refused it as stale. */
        REJECTED,
        /** The critical section is over, and the release begins. */
        LEFT,
        /** The release said that the lock had been held to the end. */
        RELEASED,
        /** The lease said that it was lost. */
        LOST,
        /** Redis could not be asked. */
        FAILED,
        /** By the demo: SIGKILL, in the middle of a hold if it names a lock; value: when the process was seen dead. */
        KILLED,
        /** By the demo: the process was sent SIGSTOP. */
        PAUSED,
        /** By the demo: the process was sent SIGCONT. */
        RESUMED
    }

    static Event of(Kind kind, long pid) {
        return new Event(System.nanoTime(), kind, pid, NO_LOCK, 0, 0);
    }

    /** The form in a file: six words, a blank between them. */
    String line() {
        return nanos + " " + kind.name().toLowerCase(Locale.ROOT) + " " + pid + " " + lock + " " + token + " " + value;
    }

    /**
     * Reads what {@link #line} wrote.
     *
     * @throws IllegalArgumentException for anything else
     */
    static Event parse(String line) {
        List<String> words = List.of(line.split(" ", -1));
        if (words.size() != 6) {
            throw new IllegalArgumentException("not a history record: " + line);
        }
        return new Event(
                Long.parseLong(words.get(0)),
                Kind.valueOf(words.get(1).toUpperCase(Locale.ROOT)),
                Long.parseLong(words.get(2)),
                words.get(3),
                Long.parseLong(words.get(4)),
                Long.parseLong(words.get(5)));
    }
}
