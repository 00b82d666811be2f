// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import io.holdfast.FailurePolicy;
import io.holdfast.spring.HoldfastLifecycle;
import io.holdfast.spring.InTransaction;
import io.holdfast.spring.LockAdviceSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * Everything under {@code holdfast}. A name that is not here fails the start, so that a slip is not a setting without effect:
 * whatever else is configured under this prefix has to become part of this record.
 *
 * @param enabled Whether to configure locks at all.
 * @param uri Server to connect to, redis[s]://[user][:password]@host[:port][/database][?timeout=2s], instead of the
 *     application's own Redis connection.
 * @param keyPrefix First part of every key in Redis; empty leaves it out.
 * @param lockSegment Second part of every lock's key in Redis; empty leaves it out.
 * @param exactKeys Whether lock keys are used as they are, without the two parts in front, to exclude other libraries' locks.
 * @param note What others read about this process when it holds a lock; host/pid if not set.
 * @param closeWait How long the end of the application waits for those who still hold a lock.
 * @param defaults Options of locks that are not given others.
 * @param shutdown When locks end.
 * @param web Answers to HTTP callers.
 * @param advice How @Lock is woven into beans.
 * @param metrics What is measured.
 */
@ConfigurationProperties(prefix = "holdfast", ignoreUnknownFields = false)
public record HoldfastProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String uri,
        @DefaultValue("holdfast") String keyPrefix,
        @DefaultValue("lock") String lockSegment,
        @DefaultValue("false") boolean exactKeys,
        @Nullable String note,
        @DefaultValue("2s") Duration closeWait,
        @DefaultValue Defaults defaults,
        @DefaultValue Shutdown shutdown,
        @DefaultValue Web web,
        @DefaultValue Advice advice,
        @DefaultValue Metrics metrics) {

    /** Without the URI, which may carry a password. */
    @Override
    public String toString() {
        return "HoldfastProperties[enabled=" + enabled + ", uri=" + (uri == null ? "none" : "***") + ", keyPrefix="
                + keyPrefix + ", lockSegment=" + lockSegment + ", exactKeys=" + exactKeys + ", note=" + note
                + ", closeWait=" + closeWait + ", " + defaults + ", " + shutdown + ", " + web + ", " + advice + ", "
                + metrics + "]";
    }

    /**
     * Options of locks, as of {@link io.holdfast.LockOptions}.
     *
     * @param ttl How long a lease lasts, 1 ms to 24 h. Set, it is fixed unless renew is true; not set, it is 30s and renewed.
     * @param tolerance How much longer than the lease the key lives.
     * @param maxTtl The longest time that a renewal by hand may ask for; the TTL if not set.
     * @param maxWait How long an acquire waits for another holder; not at all if not set.
     * @param maxAttempts How often an acquire asks Redis at most; once if neither this nor wait is set.
     * @param retryInterval Shortest pause between two tries.
     * @param jitter By how much of the interval a pause may be longer, at random, 0 to 1.
     * @param renew Whether leases are renewed while held; if not set, those without a TTL of their own are.
     * @param renewRatio After which share of the TTL to renew, 0.01 to 0.9; a third if not set.
     * @param renewEvery How often to renew, instead of a share of the TTL.
     * @param maxHold How long a renewed lease may be held; for ever if not set.
     * @param limit One limit from the start of an acquire to the end of the work; none if not set.
     * @param fencing Whether each grant carries a fencing token.
     * @param onUnavailable What an acquire does when Redis is unavailable.
     * @param interruptOnLoss Whether the thread that acquired is interrupted when it loses the lock.
     * @param fair Whether locks are granted strictly in order of arrival. Slower.
     * @param retain How long the process keeps a released lock that nobody else asks for.
     * @param handOverTurns How many turns the threads of this process take on one grant once another process wants the lock.
     * @param handOverTime How long the threads of this process go on with one grant once another process wants the lock.
     */
    public record Defaults(
            @Nullable Duration ttl,
            @DefaultValue("0s") Duration tolerance,
            @Nullable Duration maxTtl,
            // a record's component can't be called wait
            @Name("wait") @Nullable Duration maxWait,
            @Nullable Integer maxAttempts,
            @DefaultValue("100ms") Duration retryInterval,
            @DefaultValue("0.1") double jitter,
            @Nullable Boolean renew,
            @Nullable Double renewRatio,
            @Nullable Duration renewEvery,
            @Nullable Duration maxHold,
            @Nullable Duration limit,
            @DefaultValue("true") boolean fencing,
            @DefaultValue("fail") FailurePolicy onUnavailable,
            @DefaultValue("false") boolean interruptOnLoss,
            @DefaultValue("false") boolean fair,
            @DefaultValue("0s") Duration retain,
            @DefaultValue("32") int handOverTurns,
            @DefaultValue("10ms") Duration handOverTime) {}

    /**
     * When locks end.
     *
     * @param phase Phase in which locks end when the application stops: below those of all who take locks, above 0, in which
     *     the Redis client ends.
     */
    public record Shutdown(
            @DefaultValue("" + HoldfastLifecycle.PHASE) int phase) {}

    /**
     * Answers to HTTP callers.
     *
     * @param enabled Whether to answer for controllers that let a lock's exception go by.
     * @param busyStatus Status of a busy lock, 409 or 423.
     * @param includeKey Whether answers name the lock's key, which may hold personal data.
     */
    public record Web(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("409") int busyStatus,
            @DefaultValue("false") boolean includeKey) {}

    /**
     * How {@link io.holdfast.Lock} is woven into beans.
     *
     * @param enabled Whether @Lock takes locks at all.
     * @param order Order of the advisor; lower is further outside. By default outside transactions and inside
     *     asynchronous calls and retries.
     * @param inTransaction What to do when a method with @Lock is called inside a transaction that its caller began.
     * @param warnOfSelfInvocation Whether to search classes with @Lock for calls of their own methods, which bypass the lock.
     */
    public record Advice(
            @DefaultValue("true") boolean enabled,

            @DefaultValue("" + LockAdviceSettings.DEFAULT_ORDER)
            int order,

            @DefaultValue("warn") InTransaction inTransaction,
            @DefaultValue("true") boolean warnOfSelfInvocation) {}

    /**
     * What is measured, where the application has holdfast-micrometer.
     *
     * @param enabled Whether to count and time what happens to locks.
     * @param observations Whether to observe each acquire and hold too, for traces.
     */
    public record Metrics(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("false") boolean observations) {}
}
