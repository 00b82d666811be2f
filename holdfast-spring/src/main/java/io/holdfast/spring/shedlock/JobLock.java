// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.shedlock;

import io.holdfast.Lease;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** The lock of one run of a job. {@code lockAtLeastFor} counts from when it was asked for, on the monotonic clock. */
final class JobLock extends AbstractSimpleLock {
    private final Lease lease;
    private final long askedAt;

    JobLock(LockConfiguration job, Lease lease, long askedAt) {
        super(job);
        this.lease = lease;
        this.askedAt = askedAt;
    }

    /** Before {@code lockAtLeastFor} is over the lock stays where it is, in Redis, and ends there by itself. */
    @Override
    protected void doUnlock() {
        Duration since = Duration.ofNanos(System.nanoTime() - askedAt);
        Duration left = lockConfiguration.getLockAtLeastFor().minus(since);
        if (left.isNegative() || left.isZero()) {
            lease.release();
        } else {
            lease.releaseAfter(left.plusNanos(999_999)); // whole milliseconds, and not one too few
        }
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
        long askedAt = System.nanoTime();
        return lease.renew(extended.getLockAtMostFor())
                ? Optional.of(new JobLock(extended, lease, askedAt))
                : Optional.empty();
    }
}
