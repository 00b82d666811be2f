// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.AcquireReply;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * How long and how often one acquire tries.
 *
 * @param waitNanos how long; {@link Long#MAX_VALUE} for ever
 * @param maxAttempts how often; {@link Integer#MAX_VALUE} for no limit
 */
record Patience(long waitNanos, int maxAttempts) {
    private static final long LONGEST_BACKOFF = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_OUTAGE = TimeUnit.SECONDS.toNanos(10);
    private static final long SAFETY_POLL = TimeUnit.SECONDS.toNanos(2);
    /** A century: instants further apart than half the range of a long can't be compared by subtraction. */
    private static final long FOR_EVER = TimeUnit.DAYS.toNanos(36_500);

    Patience {
        waitNanos = waitNanos >= FOR_EVER ? Long.MAX_VALUE : waitNanos;
    }

    /** As the options say; one try when they set no limit. */
    static Patience of(LockOptions options) {
        int attempts = options.maxAttempts();
        if (options.maxWait().isEmpty() && attempts == 0) {
            return once();
        }
        return new Patience(
                options.maxWait().map(Limits::nanos).orElse(Long.MAX_VALUE),
                attempts == 0 ? Integer.MAX_VALUE : attempts);
    }

    static Patience once() {
        return new Patience(0, 1);
    }

    static Patience upTo(Duration wait) {
        return new Patience(Limits.nanos(Limits.notNegative("wait", wait)), Integer.MAX_VALUE);
    }

    static Patience endless() {
        return new Patience(Long.MAX_VALUE, Integer.MAX_VALUE);
    }

    Patience atMost(Duration limit) {
        return new Patience(Math.min(waitNanos, Limits.nanos(limit)), maxAttempts);
    }

    /** What is left of it after that long; the number of tries stays. */
    Patience after(long elapsedNanos) {
        return isEndless() ? this : new Patience(Math.max(0, waitNanos - elapsedNanos), maxAttempts);
    }

    /** Whether less than that is left of it; one that is no wait at all never ends early. */
    boolean endsWithin(Duration time, long elapsedNanos) {
        return waitNanos > 0 && elapsedNanos > waitNanos - time.toNanos();
    }

    /**
     * How long to pause before asking again for a lock somebody else has. In the queue: until the holder's key must have
     * ended, which nobody announces, and the safety poll at the latest. Otherwise at least the retry interval; less only when
     * the holder's key is gone sooner, and never between tries that are counted.
     */
    long pollPause(LockOptions options, AcquireReply.Contended contended) {
        if (contended.queued() && contended.ttlMillis() >= 0) {
            long ends = TimeUnit.MILLISECONDS.toNanos(contended.ttlMillis() + 1);
            return Math.min(jittered(ends, options), safetyPoll(options));
        }
        long pause = jittered(options.retryInterval().toNanos(), options);
        if (contended.ttlMillis() < 0 || !queues()) {
            return pause;
        }
        return Math.min(pause, TimeUnit.MILLISECONDS.toNanos(Math.max(10, contended.ttlMillis() + 1)));
    }

    /** How long somebody in the queue relies on word alone. */
    long safetyPoll(LockOptions options) {
        return jittered(SAFETY_POLL, options);
    }

    /** Counted tries are made at their interval; only the others stand in the queue. */
    boolean queues() {
        return maxAttempts == Integer.MAX_VALUE;
    }

    /** Whether it stays until its turn comes; one that tries once, or a number of times, asks Redis itself. */
    boolean staysInQueue() {
        return queues() && waitNanos > 0;
    }

    /** How long to pause after that many failures in a row: the retry interval, doubled each time, up to a second. */
    long backoff(LockOptions options, int failures) {
        long interval = options.retryInterval().toNanos();
        long doubled = interval << Math.min(10, failures - 1);
        return jittered(Math.max(interval, Math.min(LONGEST_BACKOFF, doubled)), options);
    }

    /** How long to put up with a Redis that can't be asked; one who may go on without it does not spend the whole wait on it. */
    long longestOutage(LockOptions options, Duration commandTimeout) {
        if (options.onUnavailable() != FailurePolicy.FAIL) {
            return commandTimeout.toNanos();
        }
        return isEndless() ? LONGEST_OUTAGE : Long.MAX_VALUE;
    }

    private static long jittered(long nanos, LockOptions options) {
        return nanos
                + (long) (nanos * options.jitter() * ThreadLocalRandom.current().nextDouble());
    }

    boolean isEndless() {
        return waitNanos == Long.MAX_VALUE;
    }
}
