// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what happens to locks to the logger {@value #LOGGER}, which can be turned down on its own. Lines carry the business
 * key and never a token.
 */
final class EventLog implements LockListener {
    static final String LOGGER = "io.holdfast.events";

    private static final double LONG_HOLD = 0.8;

    private final Logger log;

    EventLog() {
        this(LoggerFactory.getLogger(LOGGER));
    }

    /** To another logger; only tests need one. */
    EventLog(Logger log) {
        this.log = log;
    }

    Logger logger() {
        return log;
    }

    @Override
    public void acquired(LockEvent event) {
        if (log.isInfoEnabled()) {
            log.info("Lock acquired: {} in {} ms, {} attempt(s)", event.key(), millis(event), event.attempts());
        }
    }

    @Override
    public void timedOut(LockEvent event) {
        log.warn(
                "Lock not acquired: {} is busy, {} retries in {} ms", event.key(), event.attempts() - 1, millis(event));
    }

    @Override
    public void acquireFailed(LockEvent event) {
        log.error("Lock not acquired: {}", String.valueOf(event.cause()), event.cause());
    }

    @Override
    public void degraded(LockEvent event) {
        log.error(
                "Lock DEGRADED: {} goes on as {} because Redis is unavailable: other processes are not excluded",
                event.key(),
                event.options().onUnavailable());
    }

    @Override
    public void renewalFailed(LockEvent event) {
        log.warn(
                "Lock renewal failed, will be tried again: {} held for {} ms: {}",
                event.key(),
                millis(event),
                String.valueOf(event.cause()));
    }

    @Override
    public void lost(LockEvent event) {
        log.error("Lock LOST: {} after {} ms: {}", event.key(), millis(event), event.reason());
    }

    /** Whether it would have a line for a grant. */
    boolean tellsOfGrants() {
        return log.isInfoEnabled();
    }

    /** Whether it would have a line for a release after that time. */
    boolean tellsOfRelease(LockOptions options, Duration held) {
        return log.isDebugEnabled() || isLong(held, longestHold(options));
    }

    @Override
    public void released(LockEvent event) {
        if (log.isDebugEnabled()) {
            log.debug("Lock released: {} held for {} ms", event.key(), millis(event));
        }
        warnOfLongHold(event);
    }

    @Override
    public void releaseFailed(LockEvent event) {
        log.error("Lock release failed: {}", String.valueOf(event.cause()), event.cause());
    }

    private void warnOfLongHold(LockEvent event) {
        Duration most = longestHold(event.options());
        if (most != null && isLong(event.elapsed(), most)) {
            log.warn(
                    "Lock held long: {} for {} ms, more than 80 % of {} ms",
                    event.key(), millis(event), most.toMillis());
        }
    }

    private static @Nullable Duration longestHold(LockOptions options) {
        return options.renews() ? options.maxHold().orElse(null) : options.ttl();
    }

    private static boolean isLong(Duration held, @Nullable Duration most) {
        return most != null && held.toNanos() > Limits.nanos(most) * LONG_HOLD;
    }

    private static long millis(LockEvent event) {
        return event.elapsed().toMillis();
    }
}
