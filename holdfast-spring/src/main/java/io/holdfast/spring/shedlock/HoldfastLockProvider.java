// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.shedlock;

import io.holdfast.Lease;
import io.holdfast.LockManager;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * The locks of ShedLock, in place of its own Redis providers. A job's lock ends after {@code lockAtMostFor} (at most 24 h)
 * whatever happens to the job, is kept for {@code lockAtLeastFor} also when this process ends, and can be extended, so
 * {@code KeepAliveLockProvider} may be put around it. Thread-safe.
 *
 * <pre>{@code
 * @Bean
 * LockProvider lockProvider(LockManager locks) {
 *     return new HoldfastLockProvider(locks);                // job-lock:<name>
 * }
 * }</pre>
 *
 * <p>Unlike there, a Redis that can't be asked is an exception, never an unlocked job or a job that is skipped in silence, and
 * a job that outlived its lock can't release the one of the next.
 */
public final class HoldfastLockProvider implements ExtensibleLockProvider {
    private static final String DEFAULT_PREFIX = "job-lock";
    /** A lock may be extended to more than it was taken for; that has to be said when it is taken. */
    private static final Duration LONGEST = Duration.ofHours(24);

    private final LockManager locks;
    private final String prefix;

    /** Locks under {@code job-lock:<name>}. */
    public HoldfastLockProvider(LockManager locks) {
        this(locks, DEFAULT_PREFIX);
    }

    /** Locks under {@code <prefix>:<name>}, so that two applications, or stages, may have jobs of the same name. */
    public HoldfastLockProvider(LockManager locks, String prefix) {
        this.locks = Objects.requireNonNull(locks, "locks");
        this.prefix = Objects.requireNonNull(prefix, "prefix");
    }

    /**
     * Tries once.
     *
     * @throws io.holdfast.LockBackendException when Redis could not be asked
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration job) {
        long askedAt = System.nanoTime();
        LockOptions options = LockOptions.builder()
                .ttl(job.getLockAtMostFor())
                .maxTtl(LONGEST)
                .label(prefix)
                .build();
        Optional<Lease> lease =
                locks.lock(prefix + ":" + job.getName(), options).tryAcquire();
        return lease.map(held -> new JobLock(job, held, askedAt));
    }
}
