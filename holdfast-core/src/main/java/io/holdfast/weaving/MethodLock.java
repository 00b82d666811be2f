// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import io.holdfast.BusyPolicy;
import io.holdfast.DistributedLock;
import io.holdfast.FailurePolicy;
import io.holdfast.Lock;
import io.holdfast.LockManager;
import io.holdfast.LockOptions;
import io.holdfast.LossPolicy;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One {@link Lock} on a method, checked. Immutable. */
public final class MethodLock {
    private final KeyTemplate key;
    private final @Nullable KeyTemplate owner;
    private final Consumer<LockOptions.Builder> changes;
    private final BusyPolicy onBusy;
    private final String fallback;
    private final LossPolicy onLost;

    private MethodLock(Builder given) {
        this.key = given.key;
        this.owner = given.owner;
        this.changes = given::change;
        this.onBusy = given.onBusy;
        this.fallback = given.fallback;
        this.onLost = given.onLost;
    }

    /**
     * What the annotation says.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    public static MethodLock of(Lock lock) {
        if (lock.key().isEmpty() == lock.value().isEmpty()) {
            throw new IllegalArgumentException(
                    lock.key().isEmpty()
                            ? "it has no key; name what it protects, e.g. @Lock(\"order:{orderId}\")"
                            : "it has a key and a value, which are two words for the same: leave one out");
        }
        if (lock.onUnavailable().length > 1) {
            throw new IllegalArgumentException("onUnavailable takes one answer, not several");
        }
        Builder builder = key(lock.key() + lock.value())
                .ttlMs(lock.ttlMs())
                .waitMs(lock.waitMs())
                .retryMs(lock.retryMs())
                .maxAttempts(lock.maxAttempts())
                .renew(lock.renew())
                .maxHoldMs(lock.maxHoldMs())
                .owner(lock.owner())
                .onBusy(lock.onBusy(), lock.fallback())
                .onLost(lock.onLost());
        for (FailurePolicy policy : lock.onUnavailable()) {
            builder.onUnavailable(policy);
        }
        return builder.build();
    }

    /** Starts from the annotation's defaults; for generated code. */
    public static Builder key(String template) {
        return new Builder(KeyTemplate.parse(template));
    }

    /** The template of the key. */
    public KeyTemplate key() {
        return key;
    }

    /** The template of the owner, if one is named. */
    public @Nullable KeyTemplate owner() {
        return owner;
    }

    /** What to do when it is busy. */
    public BusyPolicy onBusy() {
        return onBusy;
    }

    /** The method to call when it is busy; empty unless that is the policy. */
    public String fallback() {
        return fallback;
    }

    LossPolicy onLost() {
        return onLost;
    }

    /** How many values its placeholders take: the key's, then the owner's. */
    int values() {
        return key.placeholders().size()
                + (owner == null ? 0 : owner.placeholders().size());
    }

    /** The lock for one call; {@code values} has its values from {@code from} on. */
    DistributedLock resolve(LockManager locks, @Nullable Object[] values, int from) {
        String resolved = key.render(values, from);
        if (owner == null) {
            return locks.lock(resolved, changes);
        }
        String id = owner.render(values, from + key.placeholders().size());
        return locks.lock(resolved, changes.andThen(options -> options.owner(id)));
    }

    /** Whether the annotation goes with the manager's defaults. Sends nothing. */
    void check(LockManager locks) {
        String name = key.placeholders().isEmpty() ? key.toString() : "check";
        DistributedLock unused = locks.lock(name, changes);
        assert unused.options().label().isPresent();
    }

    @Override
    public String toString() {
        return "@Lock(\"" + key + "\")";
    }

    /** The annotation's elements, by their names. */
    public static final class Builder {
        private final KeyTemplate key;
        private @Nullable KeyTemplate owner;
        private Duration ttl = Duration.ofSeconds(10);
        private Duration wait = Duration.ZERO;
        private Duration retry = Duration.ofMillis(50);
        private int maxAttempts;
        private boolean renew;
        private @Nullable Duration maxHold;
        private BusyPolicy onBusy = BusyPolicy.THROW;
        private String fallback = "";
        private @Nullable FailurePolicy onUnavailable;
        private LossPolicy onLost = LossPolicy.THROW;

        private Builder(KeyTemplate key) {
            this.key = key;
        }

        /** {@link Lock#ttlMs()}. */
        public Builder ttlMs(long value) {
            ttl = Duration.ofMillis(value);
            return this;
        }

        /** {@link Lock#waitMs()}. */
        public Builder waitMs(long value) {
            wait = Duration.ofMillis(value);
            return this;
        }

        /** {@link Lock#retryMs()}. */
        public Builder retryMs(long value) {
            retry = Duration.ofMillis(value);
            return this;
        }

        /** {@link Lock#maxAttempts()}. */
        public Builder maxAttempts(int value) {
            maxAttempts = value;
            return this;
        }

        /** {@link Lock#renew()}. */
        public Builder renew(boolean value) {
            renew = value;
            return this;
        }

        /** {@link Lock#maxHoldMs()}. */
        public Builder maxHoldMs(long value) {
            maxHold = value == 0 ? null : Duration.ofMillis(value);
            return this;
        }

        /** {@link Lock#owner()}. */
        public Builder owner(String template) {
            owner = template.isEmpty() ? null : KeyTemplate.parse(template);
            return this;
        }

        /** {@link Lock#onBusy()} and {@link Lock#fallback()}. */
        public Builder onBusy(BusyPolicy policy, String fallbackMethod) {
            onBusy = policy;
            fallback = fallbackMethod;
            return this;
        }

        /** {@link Lock#onUnavailable()}. */
        public Builder onUnavailable(FailurePolicy value) {
            onUnavailable = value;
            return this;
        }

        /** {@link Lock#onLost()}. */
        public Builder onLost(LossPolicy value) {
            onLost = value;
            return this;
        }

        /**
         * Checks and freezes.
         *
         * @throws IllegalArgumentException saying what is wrong
         */
        public MethodLock build() {
            if (maxAttempts < 0) {
                throw new IllegalArgumentException("maxAttempts must not be negative, was " + maxAttempts);
            }
            if (maxHold != null && !renew) {
                throw new IllegalArgumentException("maxHoldMs is for a lease that is renewed; without renew = true "
                        + "the lease ends after ttlMs");
            }
            if (onBusy == BusyPolicy.FALLBACK == fallback.isEmpty()) {
                throw new IllegalArgumentException(
                        fallback.isEmpty()
                                ? "onBusy = FALLBACK needs the name of a method: fallback = \"…\""
                                : "fallback = \"" + fallback + "\" needs onBusy = FALLBACK");
            }
            LockOptions.Builder trial = LockOptions.builder();
            change(trial);
            trial.build();
            return new MethodLock(this);
        }

        /** Everything that is set here, and nothing else of the manager's defaults. */
        private void change(LockOptions.Builder options) {
            options.label(key.toString())
                    .ttl(ttl)
                    .renew(renew)
                    .retryInterval(retry)
                    .once();
            if (maxAttempts > 0) {
                options.maxAttempts(maxAttempts);
            }
            if (maxAttempts == 0 || !wait.isZero()) {
                options.wait(wait);
            }
            if (maxHold != null) {
                options.maxHold(maxHold);
            }
            if (onUnavailable != null) {
                options.onUnavailable(onUnavailable);
            }
        }
    }
}
