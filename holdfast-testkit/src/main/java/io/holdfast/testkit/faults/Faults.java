// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What a proxy is to do to all its connections, and what it has counted. Thread-safe. */
final class Faults {
    final Map<Way, Delay> delays = new ConcurrentHashMap<>();
    final Set<Way> dropped = ConcurrentHashMap.newKeySet();
    final List<ProxyRule> rules = new CopyOnWriteArrayList<>();
    /** Oldest first. */
    final List<Crossing> held = new CopyOnWriteArrayList<>();

    final LongAdder connections = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder replies = new LongAdder();
    final LongAdder pushes = new LongAdder();
    final LongAdder lost = new LongAdder();

    @Nullable
    ProxyRule ruleFor(List<String> request) {
        for (ProxyRule rule : rules) {
            if (!request.isEmpty() && rule.takes(request)) {
                return rule;
            }
        }
        return null;
    }

    /** When something that enters now is to leave. */
    long dueAt(Way way) {
        return System.nanoTime() + delays.getOrDefault(way, Delay.NONE).nextNanos();
    }

    Traffic traffic() {
        return new Traffic(connections.sum(), requests.sum(), replies.sum(), pushes.sum(), lost.sum());
    }
}
