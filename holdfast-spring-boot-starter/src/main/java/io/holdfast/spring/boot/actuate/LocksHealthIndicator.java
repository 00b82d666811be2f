// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.actuate;

import io.holdfast.Eviction;
import io.holdfast.HeldLease;
import io.holdfast.Holdfast;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * How the locks of this process fare, by what it knows anyway: {@code DOWN} while renewals of leases it holds do not get
 * through, so that they are about to be lost. That Redis answers is for the health of Redis to say. The server is asked only
 * for its eviction policy, and seldom: one that may drop locks is a warning, or {@code OUT_OF_SERVICE} if so set.
 */
public final class LocksHealthIndicator extends AbstractHealthIndicator {
    private static final int MOST_KEYS = 10;

    private final Holdfast locks;
    private final LocksHealthProperties properties;

    // Guarded by this.
    private Optional<Eviction> eviction = Optional.empty();
    private long askedAt;
    private boolean asked;

    /** Of that process. */
    public LocksHealthIndicator(Holdfast locks, LocksHealthProperties properties) {
        super("The health of locks could not be told");
        this.locks = locks;
        this.properties = properties;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        List<HeldLease> held = locks.held();
        List<String> failing = held.stream()
                .filter(HeldLease::renewalFailing)
                .map(HeldLease::key)
                .toList();
        long degraded = held.stream().filter(HeldLease::degraded).count();
        boolean deaf = locks.isDeaf();
        // A server that can't be reached would only hold up this answer.
        Optional<Eviction> known = deaf || !failing.isEmpty() ? lastKnown() : current();
        boolean mayDrop = known.map(Eviction::mayDropLocks).orElse(false);
        health.up();
        if (mayDrop && properties.evictionOutOfService()) {
            health.outOfService();
        }
        if (!failing.isEmpty()) {
            health.down()
                    .withDetail("renewalsFailing", failing.size())
                    .withDetail("failingKeys", failing.stream().limit(MOST_KEYS).toList());
        }
        health.withDetail("held", held.size()).withDetail("waiting", locks.waitingAcquires());
        if (degraded > 0) {
            health.withDetail("degraded", degraded + " leases exclude nobody outside this process: Redis was down");
        }
        if (deaf) {
            health.withDetail("notifications", "not heard: whoever waits polls, and gets the lock later");
        }
        health.withDetail("evictionPolicy", known.map(Eviction::policy).orElse("unknown"));
        if (mayDrop) {
            health.withDetail(
                    "warning",
                    "the server may drop a lock that is held when its memory is full;"
                            + " CONFIG SET maxmemory-policy noeviction");
        }
    }

    private synchronized Optional<Eviction> lastKnown() {
        return eviction;
    }

    private synchronized Optional<Eviction> current() {
        long now = System.nanoTime();
        if (!asked || now - askedAt >= properties.evictionCheckInterval().toNanos()) {
            asked = true;
            askedAt = now;
            eviction = locks.eviction();
        }
        return eviction;
    }
}
