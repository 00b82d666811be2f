// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
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
        LockOptions options = event.options();
        Duration most = options.renews() ? options.maxHold().orElse(null) : options.ttl();
        if (most != null && event.elapsed().toNanos() > Limits.nanos(most) * LONG_HOLD) {
            log.warn(
                    "Lock held long: {} for {} ms, more than 80 % of {} ms",
                    event.key(), millis(event), most.toMillis());
        }
    }

    private static long millis(LockEvent event) {
        return event.elapsed().toMillis();
    }
}
