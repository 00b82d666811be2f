// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a lock is taken, kept and given back. Immutable and checked when built.
 *
 * <pre>{@code
 * LockOptions create = LockOptions.builder()
 *         .ttl(Duration.ofSeconds(30))              // fixed: not renewed unless renew(true)
 *         .maxAttempts(3)
 *         .retryInterval(Duration.ofMillis(100))
 *         .build();
 * }</pre>
 *
 * <p>Limits on trying: {@code wait} (or {@code maxElapsed}) and {@code maxAttempts} or {@code maxRetries}. With none of them
 * there is one try; with several, the first one reached ends it.
 */
public final class LockOptions {
    private static final LockOptions DEFAULTS = builder().build();

    private final Builder set;
    private final boolean renew;
    private final Duration renewInterval;
    private final LeaseTerms terms;

    private LockOptions(Builder checked) {
        this.set = checked;
        this.renew = checked.renew != null ? checked.renew : !checked.ttlGiven;
        this.renewInterval = checked.renewEvery != null
                ? checked.renewEvery
                : Duration.ofNanos((long) (checked.ttl.toNanos() * checked.renewRatio));
        this.terms = new LeaseTerms(
                set.ttl, set.tolerance, maxTtl(), renew ? renewInterval : null, set.fencing, set.retention);
    }

    /** 30 s, renewed every 10 s, one try, fenced. */
    public static LockOptions defaults() {
        return DEFAULTS;
    }

    /** Starts from the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Starts from these. */
    public Builder toBuilder() {
        return new Builder(set);
    }

    /** How long the lease is valid, and unless there is a tolerance how long the key lives. */
    public Duration ttl() {
        return set.ttl;
    }

    /** How much longer than the lease the key lives. */
    public Duration tolerance() {
        return set.tolerance;
    }

    /** The longest time {@link Lease#renew} may ask for. */
    public Duration maxTtl() {
        return set.maxTtl == null || set.maxTtl.compareTo(set.ttl) < 0 ? set.ttl : set.maxTtl;
    }

    /** How long an acquire may wait; empty when only the number of tries limits it, or nothing is set. */
    public Optional<Duration> maxWait() {
        return Optional.ofNullable(set.wait);
    }

    /** How often an acquire may ask Redis; 0 for no such limit. */
    public int maxAttempts() {
        return set.maxAttempts;
    }

    /** The shortest pause between two tries. */
    public Duration retryInterval() {
        return set.retryInterval;
    }

    /** By how much of the interval a pause may be longer, at random: 0 to 1. */
    public double jitter() {
        return set.jitter;
    }

    /** Whether the lease is renewed while it is held. */
    public boolean renews() {
        return renew;
    }

    /** Time from one renewal to the next. */
    public Duration renewInterval() {
        return renewInterval;
    }

    /** The longest a renewed lease may be held. */
    public Optional<Duration> maxHold() {
        return Optional.ofNullable(set.maxHold);
    }

    /** One limit over acquire and block together. */
    public Optional<Duration> limit() {
        return Optional.ofNullable(set.limit);
    }

    /** Who may re-enter: the same owner, from any thread or process. */
    public Optional<String> owner() {
        return Optional.ofNullable(set.owner);
    }

    /** Whether only the owner's last release frees the lock (true), or already its first. */
    public boolean countsHolds() {
        return set.countHolds;
    }

    /** Whether each grant carries a fencing token. */
    public boolean fencing() {
        return set.fencing;
    }

    /** What an acquire does when Redis is unavailable. */
    public FailurePolicy onUnavailable() {
        return set.onUnavailable;
    }

    /** Whether the thread that acquired is interrupted when the lease is lost. */
    public boolean interruptsOnLoss() {
        return set.interruptOnLoss;
    }

    /** A name of few values for metrics, such as {@code order:{id}}; the key itself is never one. */
    public Optional<String> label() {
        return Optional.ofNullable(set.label);
    }

    /** Whether the lock goes strictly by arrival, among all threads of all processes. */
    public boolean fair() {
        return set.fair;
    }

    /** How long the process keeps a released lock for itself while nobody else wants it; zero not at all. */
    public Duration retention() {
        return set.retention;
    }

    /** How many turns the threads of a process take on one grant once another process wants the lock. */
    public int handOverTurns() {
        return set.handOverTurns;
    }

    /** How long the threads of a process go on with one grant once another process wants the lock. */
    public Duration handOverTime() {
        return set.handOverTime;
    }

    /** How long a lease may last whatever is renewed, when acquiring it took that long; the largest long for no limit. */
    long longestHold(long acquireNanos) {
        long longest = set.maxHold == null ? Long.MAX_VALUE : Limits.nanos(set.maxHold);
        return set.limit == null ? longest : Math.min(longest, Limits.nanos(set.limit) - acquireNanos);
    }

    /** What leases taken with these options have in common. */
    LeaseTerms terms() {
        return terms;
    }

    @Override
    public String toString() {
        return "LockOptions[ttl=" + set.ttl + (renew ? ", renewed every " + renewInterval() : ", fixed")
                + maxWait().map(w -> ", wait=" + w).orElse("")
                + (set.maxAttempts > 0 ? ", attempts=" + set.maxAttempts : "")
                + owner().map(o -> ", owner=" + o).orElse("") + (set.fencing ? "" : ", unfenced") + "]";
    }

    /** Collects options; {@link #build()} checks them together. Not thread-safe. */
    public static final class Builder {
        private Duration ttl = Duration.ofSeconds(30);
        private boolean ttlGiven;
        private Duration tolerance = Duration.ZERO;
        private @Nullable Duration maxTtl;
        private @Nullable Duration wait;
        private int maxAttempts;
        private Duration retryInterval = Duration.ofMillis(100);
        private double jitter = 0.1;
        private @Nullable Boolean renew;
        private double renewRatio = 1.0 / 3;
        private @Nullable Duration renewEvery;
        private @Nullable Duration maxHold;
        private @Nullable Duration limit;
        private @Nullable String owner;
        private boolean countHolds = true;
        private boolean fencing = true;
        private FailurePolicy onUnavailable = FailurePolicy.FAIL;
        private boolean interruptOnLoss;
        private @Nullable String label;
        private boolean fair;
        private Duration retention = Duration.ZERO;
        private int handOverTurns = 32;
        private Duration handOverTime = Duration.ofMillis(10);

        private Builder() {}

        private Builder(Builder from) {
            ttl = from.ttl;
            ttlGiven = from.ttlGiven;
            tolerance = from.tolerance;
            maxTtl = from.maxTtl;
            wait = from.wait;
            maxAttempts = from.maxAttempts;
            retryInterval = from.retryInterval;
            jitter = from.jitter;
            renew = from.renew;
            renewRatio = from.renewRatio;
            renewEvery = from.renewEvery;
            maxHold = from.maxHold;
            limit = from.limit;
            owner = from.owner;
            countHolds = from.countHolds;
            fencing = from.fencing;
            onUnavailable = from.onUnavailable;
            interruptOnLoss = from.interruptOnLoss;
            label = from.label;
            fair = from.fair;
            retention = from.retention;
            handOverTurns = from.handOverTurns;
            handOverTime = from.handOverTime;
        }

        /** A lease of that length, fixed unless {@link #renew} says otherwise; 1 ms to 24 h. */
        public Builder ttl(Duration value) {
            ttl = Limits.ttl("ttl", value);
            ttlGiven = true;
            return this;
        }

        /** Lets the key live longer than the lease, for which the holder's promise is the same; with the TTL at most 24 h. */
        public Builder tolerance(Duration value) {
            tolerance = Limits.tolerance(value);
            return this;
        }

        /** The longest time {@link Lease#renew} may ask for, when that is more than the TTL. */
        public Builder maxTtl(Duration value) {
            maxTtl = Limits.ttl("maxTtl", value);
            return this;
        }

        /** How long to wait for another holder; zero not at all. */
        public Builder wait(Duration value) {
            wait = Limits.notNegative("wait", value);
            return this;
        }

        /** Another word for {@link #wait(Duration)}. */
        public Builder maxElapsed(Duration value) {
            wait = Limits.notNegative("maxElapsed", value);
            return this;
        }

        /** One try, whatever was set before. */
        public Builder once() {
            wait = null;
            maxAttempts = 0;
            return this;
        }

        /** How many tries altogether, one {@link #retryInterval} apart. */
        public Builder maxAttempts(int value) {
            maxAttempts = Limits.atLeast("maxAttempts", 1, value);
            return this;
        }

        /** How many tries after the first. */
        public Builder maxRetries(int value) {
            maxAttempts = Limits.atLeast("maxRetries", 0, value) + 1;
            return this;
        }

        /** The shortest pause between two tries; never under 10 ms, whatever is asked, and at most 24 h. */
        public Builder retryInterval(Duration value) {
            retryInterval = Limits.retryInterval(value);
            return this;
        }

        /** Lengthens each pause at random by up to this share of it; 0 to 1, 0.1 by default. */
        public Builder jitter(double value) {
            jitter = Limits.share("jitter", value, 0, 1);
            return this;
        }

        /** Whether to renew while held; by default a TTL that was given is fixed and the default one is renewed. */
        public Builder renew(boolean value) {
            renew = value;
            return this;
        }

        /** Renews after this share of the TTL; 1/3 by default. */
        public Builder renewRatio(double value) {
            renewRatio = Limits.share("renewRatio", value, 0.01, 0.9);
            renewEvery = null;
            return this;
        }

        /** Renews that often; at least 1 ms and less than the TTL. */
        public Builder renewEvery(Duration value) {
            renewEvery = Limits.renewInterval(value);
            return this;
        }

        /** Stops renewing so that the lease ends this long after it was granted. */
        public Builder maxHold(Duration value) {
            maxHold = Limits.positive("maxHold", value);
            return this;
        }

        /** One limit from the start of the acquire to the end of the block; past it the lease is lost. */
        public Builder limit(Duration value) {
            limit = Limits.positive("limit", value);
            return this;
        }

        /** Lets the same owner (a request, trace or business id) re-enter, from any thread or process. */
        public Builder owner(String value) {
            owner = Limits.ownerId(value);
            return this;
        }

        /** With an owner: true (default) frees the lock with its last release, false with its first. */
        public Builder countHolds(boolean value) {
            countHolds = value;
            return this;
        }

        /** Whether each grant carries a fencing token; on by default. Off, an acquire is one bare {@code SET NX PX}. */
        public Builder fencing(boolean value) {
            fencing = value;
            return this;
        }

        /** What an acquire does when Redis is unavailable; {@link FailurePolicy#FAIL} by default. */
        public Builder onUnavailable(FailurePolicy value) {
            onUnavailable = Limits.given("onUnavailable", value);
            return this;
        }

        /** Interrupts the thread that acquired when the lease is lost while it holds it. */
        public Builder interruptOnLoss(boolean value) {
            interruptOnLoss = value;
            return this;
        }

        /** A name for metrics that stands for many keys, such as {@code order:{id}}. */
        public Builder label(String value) {
            label = Limits.notBlank("label", value);
            return this;
        }

        /** Grants strictly in order of arrival at Redis, to which threads of one process may go together. Slower. */
        public Builder fair(boolean value) {
            fair = value;
            return this;
        }

        /** Keeps a released lock in this process for that long, less than the TTL, or until another process asks for it. */
        public Builder retain(Duration value) {
            retention = Limits.notNegative("retain", value);
            return this;
        }

        /** How many turns the threads of a process take on one grant once another process wants the lock; 32 by default. */
        public Builder handOverTurns(int value) {
            handOverTurns = Limits.atLeast("handOverTurns", 1, value);
            return this;
        }

        /** How long the threads of a process go on with one grant once another process wants the lock; 10 ms by default. */
        public Builder handOverTime(Duration value) {
            handOverTime = Limits.notNegative("handOverTime", value);
            return this;
        }

        /**
         * Checks and freezes.
         *
         * @throws IllegalArgumentException when two options contradict each other
         */
        public LockOptions build() {
            Limits.keyLife(ttl, maxTtl, tolerance);
            if (renewEvery != null && (renew != null ? renew : !ttlGiven)) {
                Limits.renewEvery(renewEvery, ttl);
            }
            Limits.retention(retention, ttl, fair);
            return new LockOptions(new Builder(this));
        }
    }
}
