// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockException;
import io.holdfast.LockOptions;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.LockName;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisReplyException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Takes, waits for, renews and releases a lock nobody else has, with the real scripts. Without fencing: the fence counter is
 * the application's own, has no TTL, and stays as it is. All that is written has a TTL, and is deleted at the end.
 */
final class TrialCheck {
    /** Long enough for a busy machine: a lock that ended here must not look like one that the server lost. */
    private static final Duration TTL = Duration.ofSeconds(30);

    private static final Duration WAIT = Duration.ofMillis(50);

    private TrialCheck() {}

    /** With owner ids and {@code inspect}, or without for a user that lacks the permissions for these. */
    static Finding look(Patient patient, boolean owners) {
        long began = System.nanoTime();
        try (Cleanup cleanup = new Cleanup()) {
            LockName name = cleanup.make(patient::name, written -> sweep(patient, written));
            // Closed before the sweep: on Ctrl-C this thread is still at work, and must not write after it.
            Holdfast holdfast = cleanup.make(() -> holdfast(patient), Holdfast::close);
            @Nullable String wrong = plain(holdfast, name.key());
            wrong = wrong == null && owners ? owner(holdfast, name.key()) : wrong;
            if (wrong != null) {
                return Finding.fail("trial", wrong, "look at the server's log, and what else writes these keys");
            }
        } catch (LockException e) {
            return Finding.fail("trial", String.valueOf(e.getMessage()), "see docs/troubleshooting.md");
        }
        return Finding.ok(
                "trial",
                "a lock was taken, waited for, renewed" + (owners ? ", re-entered, inspected" : "")
                        + " and released in " + Format.millis(System.nanoTime() - began) + " ms");
    }

    private static Holdfast holdfast(Patient patient) {
        return Holdfast.builder()
                .connector(JedisConnector.connect(patient.address()))
                .keyPrefix(patient.prefix())
                .defaults(LockOptions.builder()
                        .ttl(TTL)
                        .renew(false)
                        .fencing(false)
                        .build())
                .closeWait(Duration.ZERO)
                .build();
    }

    /** What did not go as it must, or null. */
    private static @Nullable String plain(Holdfast holdfast, String key) {
        DistributedLock lock = holdfast.lock(key);
        Lease lease = lock.acquire();
        if (lock.tryAcquire(WAIT).isPresent()) {
            return "a lock that is held was granted again";
        }
        if (!lease.renew(TTL) || !lease.release()) {
            return "a lock that was taken is gone";
        }
        return null;
    }

    private static @Nullable String owner(Holdfast holdfast, String key) {
        DistributedLock lock =
                holdfast.lock(key, options -> options.owner("doctor").wait(TTL));
        Lease outer = lock.acquire();
        Lease inner = lock.acquire();
        boolean held = holdfast.inspect(key).isHeld() && inner.renew(TTL);
        return inner.release() && outer.release() && held ? null : "an owner's lock that was taken is gone";
    }

    /** Also on Ctrl-C. What can't be deleted ends with its TTL. */
    private static void sweep(Patient patient, LockName name) {
        try {
            patient.ask("DEL", name.lockKey(), name.queueKey(), name.ownerKey(), name.holdsKey());
        } catch (NotAllowed | RedisReplyException | RedisConnectionException e) {
            return;
        }
    }
}
