// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import io.holdfast.Lease;
import io.holdfast.LockException;
import io.holdfast.LockLostException;
import io.holdfast.LossPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases of one call. They are given back in the reverse order, however the method ended, and what happens to one never
 * keeps the others. The method's own failure always wins: what befell the locks is attached to it. When the method succeeded,
 * a loss is thrown or logged as its annotation says; a release that failed is neither, because listeners and log have been
 * told, and the method ran protected.
 *
 * <p>Somebody else may want them longer than the method does ({@link #share}): then the last one to let go gives them back, and
 * the others learn of a loss all the same.
 */
public final class Held {
    private static final Logger log = LoggerFactory.getLogger(Held.class);

    private final String method;
    private final List<Taken> taken = new ArrayList<>(1);
    private final AtomicInteger holders = new AtomicInteger(1);
    private List<Lease> leases = List.of();

    Held(String method) {
        this.method = method;
    }

    /** In the order they are taken. */
    void add(Lease lease, LossPolicy onLost) {
        taken.add(new Taken(lease, onLost));
    }

    /** The leases, in the order the annotations are declared. */
    void declare(List<Lease> declared) {
        leases = declared;
    }

    /** The leases, in the order the annotations are declared. */
    public List<Lease> leases() {
        return leases;
    }

    /** One more holder: each has to {@link #release} once. For use while the method runs. */
    public void share() {
        holders.incrementAndGet();
    }

    /**
     * Looks whether they are still held, and gives none back. No I/O.
     *
     * @param failure what the method threw; null when it succeeded
     * @throws LockLostException as {@link #release} does
     */
    public void check(@Nullable Throwable failure) {
        LockLostException thrown = null;
        for (int i = taken.size() - 1; i >= 0; i--) {
            thrown = first(thrown, settle(taken.get(i), taken.get(i).loss(), failure));
        }
        if (thrown != null) {
            throw thrown;
        }
    }

    /**
     * Gives them back after the method has ended; blocks.
     *
     * @param failure what the method threw; null when it succeeded
     * @throws LockLostException when it succeeded, and a lock that throws then was lost
     */
    public void release(@Nullable Throwable failure) {
        if (holders.decrementAndGet() > 0) {
            check(failure);
            return;
        }
        LockLostException thrown = null;
        for (int i = taken.size() - 1; i >= 0; i--) {
            RuntimeException trouble;
            try {
                trouble = taken.get(i).lease.release() ? null : taken.get(i).loss();
            } catch (RuntimeException unreleased) {
                trouble = unreleased;
            }
            thrown = first(thrown, settle(taken.get(i), trouble, failure));
        }
        if (thrown != null) {
            throw thrown;
        }
    }

    /**
     * {@link #release} without blocking.
     *
     * @return fails with {@link LockLostException} where that would throw it
     */
    public CompletableFuture<@Nullable Void> releaseAsync(@Nullable Throwable failure) {
        if (holders.decrementAndGet() > 0) {
            return CompletableFuture.<@Nullable Void>completedFuture(null).thenRun(() -> check(failure));
        }
        CompletableFuture<@Nullable LockLostException> all = CompletableFuture.completedFuture(null);
        for (int i = taken.size() - 1; i >= 0; i--) {
            Taken one = taken.get(i);
            all = all.thenCombine(
                    one.lease.releaseAsync().handle((kept, failed) -> settle(one, one.trouble(kept, failed), failure)),
                    Held::first);
        }
        return all.thenCompose(thrown -> thrown == null
                ? CompletableFuture.<@Nullable Void>completedFuture(null)
                : CompletableFuture.failedFuture(thrown));
    }

    /** What is to be thrown because of this lease. */
    private @Nullable LockLostException settle(Taken one, @Nullable Throwable trouble, @Nullable Throwable failure) {
        if (trouble != null && failure != null) {
            failure.addSuppressed(trouble);
        } else if (trouble instanceof LockLostException lost && one.onLost == LossPolicy.THROW) {
            return lost;
        } else if (trouble instanceof LockLostException) {
            log.warn("{} went on without its lock: {}", method, trouble.getMessage());
        } else if (trouble != null
                && !(trouble instanceof LockException)) { // of those, log and listeners have been told
            log.error("{} could not give lock {} back", method, one.lease.key(), trouble);
        }
        return null;
    }

    private static @Nullable LockLostException first(
            @Nullable LockLostException earlier, @Nullable LockLostException later) {
        return earlier != null ? earlier : later;
    }

    private record Taken(Lease lease, LossPolicy onLost) {

        @Nullable
        Throwable trouble(@Nullable Boolean kept, @Nullable Throwable failed) {
            return failed != null ? failed : Boolean.TRUE.equals(kept) ? null : loss();
        }

        /** None when the method gave the lease back itself. To ask whether it is held tells a lease that just ended. */
        @Nullable
        LockLostException loss() {
            if (lease.isHeld() || lease.lostReason().isEmpty()) {
                return null;
            }
            try {
                lease.ensureHeld();
                return null;
            } catch (LockLostException lost) {
                return lost;
            }
        }
    }
}
