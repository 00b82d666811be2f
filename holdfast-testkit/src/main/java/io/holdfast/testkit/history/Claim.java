// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import java.util.Comparator;
import java.util.List;

/**
 * A time in which a process claimed to hold a lock: from when its acquire returned until it began to release, was told of
 * the loss, died, or the lease's validity ended, whichever came first. What a paused process did not yet know does not
 * lengthen its claim; but if it asked its lease after that and was told "held", then that does.
 *
 * @param lock the lock
 * @param pid the process
 * @param op the number of its acquire
 * @param owner on whose behalf, 0 if there can be no re-entry
 * @param token the fencing token, 0 if nothing was granted
 * @param invokedAt when the acquire began
 * @param from first instant; that of {@code invokedAt} if nothing was granted
 * @param until the instant after the last
 * @param validUntil when, as far as known, the lease itself promised to end
 * @param end what ended it
 */
public record Claim(
        String lock,
        long pid,
        long op,
        long owner,
        long token,
        long invokedAt,
        long from,
        long until,
        long validUntil,
        End end) {

    /** What ended a claim. */
    public enum End {
        /** Nothing was granted. */
        NOT_GRANTED,
        /** A release. */
        LEFT,
        /** News of the loss. */
        TOLD,
        /** The end of its process. */
        DIED,
        /** The end of its validity. */
        EXPIRED
    }

    /** Those of all locks, by their start. */
    public static List<Claim> all(Iterable<Event> events) {
        Run run = new Run();
        events.forEach(run::accept);
        return run.locks().stream()
                .flatMap(lock -> lock.acquires.stream())
                .filter(Acquire::isGranted)
                .map(Acquire::claim)
                .sorted(Comparator.comparingLong(Claim::from))
                .toList();
    }

    /** Whether both may be held at one time, because they are one owner's. */
    boolean sharesWith(Claim other) {
        return owner != 0 && owner == other.owner;
    }

    /** For people, with times in milliseconds since an instant. */
    String text(long epoch) {
        String who = "pid " + pid + " op " + op + (owner == 0 ? "" : " owner " + owner);
        return end == End.NOT_GRANTED
                ? who + " asked at " + Violation.millis(invokedAt - epoch)
                : who + " token " + token + " from " + Violation.millis(from - epoch) + " until "
                        + Violation.millis(until - epoch) + " (" + end + ")";
    }
}
