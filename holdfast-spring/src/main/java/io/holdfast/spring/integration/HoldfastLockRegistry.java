// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.integration;

import io.holdfast.LockManager;
import io.holdfast.LockOptions;
import java.time.Duration;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.util.Assert;

/**
 * The locks of Spring Integration (aggregators, leader election, file locks), in place of {@code RedisLockRegistry}. They are
 * re-entrant per thread, last 60 s by default and are renewed while they are held; who waits is woken. Thread-safe.
 *
 * <pre>{@code
 * @Bean
 * LockRegistry<?> lockRegistry(LockManager locks) {
 *     return new HoldfastLockRegistry(locks, "orders");      // orders:<key>
 * }
 * }</pre>
 *
 * <p>Nothing is cached: a lock is its name, and what a thread holds is kept with the thread. So there is nothing to expire and
 * no capacity to exceed. Unlocking a lock that was lost throws {@link java.util.ConcurrentModificationException}, as there.
 */
public final class HoldfastLockRegistry
        implements ExpirableLockRegistry<DistributedLock>, RenewableLockRegistry<DistributedLock> {
    private static final Duration DEFAULT_TTL = Duration.ofSeconds(60);

    private final LockManager locks;
    private final String registryKey;
    private final LockOptions options;

    /** Locks of 60 s, renewed, under {@code <registryKey>:<key>}. */
    public HoldfastLockRegistry(LockManager locks, String registryKey) {
        this(locks, registryKey, DEFAULT_TTL);
    }

    /** Locks of that long, renewed, under {@code <registryKey>:<key>}. */
    public HoldfastLockRegistry(LockManager locks, String registryKey, Duration ttl) {
        this(
                locks,
                registryKey,
                LockOptions.builder().ttl(ttl).renew(true).label(registryKey).build());
    }

    /** Locks with options of their own, for example fixed ones: {@code renew(false)}. */
    public HoldfastLockRegistry(LockManager locks, String registryKey, LockOptions options) {
        Assert.notNull(locks, "'locks' must not be null");
        Assert.hasText(registryKey, "'registryKey' must not be blank");
        Assert.notNull(options, "'options' must not be null");
        this.locks = locks;
        this.registryKey = registryKey;
        this.options = options;
    }

    /** The lock of that key, which has to be a string. */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return lock(lockKey);
    }

    private RegistryLock lock(Object lockKey) {
        Assert.isInstanceOf(
                String.class,
                lockKey,
                "a lock key has to be a string: toString() of others may be the same " + "for two, or differ for one");
        return new RegistryLock(locks, registryKey + ":" + lockKey, options);
    }

    /** Nothing to do: nothing is cached. */
    @Override
    public void expireUnusedOlderThan(long age) {}

    /** Renews a lock of this thread by hand, though held ones are renewed anyway, as long as its options say. */
    @Override
    public void renewLock(Object lockKey) {
        renewLock(lockKey, options.ttl());
    }

    /**
     * Renews a lock of this thread by hand, for at most the TTL of this registry.
     *
     * @throws IllegalStateException when this thread does not hold it, or no longer
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        if (!lock(lockKey).renew(ttl)) {
            throw new IllegalStateException("lock " + lockKey + " was lost and can't be renewed");
        }
    }

    @Override
    public String toString() {
        return "HoldfastLockRegistry[" + registryKey + "]";
    }
}
