// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.benchmarks.CommandTap.Origin;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Tells the commands that clients send from those that scripts call, which no counter of the server does: up to Redis 8.6
 * and Valkey 9.1, {@code total_commands_processed}, {@code INFO commandstats}, the ids of {@code SLOWLOG} and, where it
 * exists, {@code tot-cmds} of {@code CLIENT LIST} count both alike.
 *
 * <p>So each turn's warm-up is listened to for a moment, to learn where each command of this contender comes from. The
 * counts are those of {@code commandstats} in the measured window, when nobody listens in and slows the server down.
 * A contender that sends a command both ways gets the share that was heard; none of these does so in earnest.
 */
final class ClientCommands {
    /** What this program itself sends. */
    private static final Set<String> OURS = Set.of("info", "monitor", "flushall");

    private final Map<Entry, Map<String, Origin>> heard = new HashMap<>();

    void learn(Entry entry, Map<String, Origin> seen) {
        Map<String, Origin> known = heard.computeIfAbsent(entry, key -> new HashMap<>());
        seen.forEach((command, origin) -> known.merge(command, origin, Origin::plus));
    }

    /** How many commands that contender's clients sent between two readings of the server's counters. */
    double between(Entry entry, Map<String, Long> before, Map<String, Long> after) {
        Map<String, Origin> known = heard.getOrDefault(entry, Map.of());
        double sum = 0;
        for (Map.Entry<String, Long> counter : after.entrySet()) {
            String command = counter.getKey();
            if (!OURS.contains(command)) {
                long calls = counter.getValue() - before.getOrDefault(command, 0L);
                Origin origin = known.getOrDefault(command, new Origin(1, 0));
                sum += (double) calls * origin.fromClients() / (origin.fromClients() + origin.fromScripts());
            }
        }
        return sum;
    }
}
