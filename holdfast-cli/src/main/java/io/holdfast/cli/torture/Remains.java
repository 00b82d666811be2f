// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.RawRedis;
import io.holdfast.testkit.history.Leftovers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Looks for what the workers left on the server. */
final class Remains {
    /** Leases of killed workers end by themselves, and what they left in a queue with the next that looks at it. */
    private static final Duration LIMIT = Wanted.LONGEST_LEASE.multipliedBy(2);

    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(100);

    private Remains() {}

    /** Ends the workers, and waits for up to two leases until nothing is left. */
    static Leftovers after(Crew crew, EmbeddedRedis server) {
        int unclean = crew.stop();
        long deadline = System.nanoTime() + LIMIT.toNanos();
        try (RawRedis redis = new RawRedis(server.host(), server.port())) {
            Leftovers found = look(redis, unclean);
            while (!found.isEmpty() && System.nanoTime() - deadline < 0) {
                LockSupport.parkNanos(TICK);
                found = look(redis, unclean);
            }
            return found;
        }
    }

    /** What there is now, and how many workers did not end as they should. */
    static Leftovers look(RawRedis redis, int unclean) {
        List<String> keys = strings(redis.call("KEYS", Torture.PREFIX + ":*")); // nobody else is on this server
        keys.remove(Torture.PREFIX + ":fence"); // stays, by design
        long queued = keys.stream()
                .filter(key -> key.startsWith(Torture.PREFIX + ":queue:"))
                .mapToLong(key -> (Long) redis.call("ZCARD", key))
                .sum();
        long channels =
                strings(redis.call("PUBSUB", "CHANNELS", Torture.PREFIX + ":*")).size();
        return new Leftovers(keys.size(), queued, channels, unclean);
    }

    private static List<String> strings(@Nullable Object reply) {
        List<String> texts = new ArrayList<>();
        ((List<?>) Objects.requireNonNull(reply)).forEach(item -> texts.add(String.valueOf(item)));
        return texts;
    }
}
