// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.cli.Event.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A time in which a process claimed to hold a lock: from when its acquire returned until it began to release, was told
 * of the loss, died, or the lease's validity ended, whichever came first. What a paused process did not yet know does
 * not lengthen its claim; but if it asked its lease after that and was told "held", then that does.
 *
 * @param from first instant
 * @param until the instant after the last
 * @param validUntil when the lease itself promised to end
 * @param diedHolding whether its process was killed in the middle
 */
record Claim(String lock, long pid, long token, long from, long until, long validUntil, boolean diedHolding) {

    /**
     * The claims of each lock, sorted by their start.
     *
     * @param events of all processes, those of one process and lock in the order they happened
     */
    static Map<String, List<Claim>> byLock(List<Event> events) {
        Map<Long, Long> deaths = new HashMap<>();
        events.stream().filter(e -> e.kind() == Kind.KILLED).forEach(e -> deaths.put(e.pid(), e.value()));
        Map<Holder, Open> open = new HashMap<>();
        List<Claim> claims = new ArrayList<>();
        for (Event event : events) {
            Holder holder = new Holder(event.pid(), event.lock(), event.token());
            if (event.kind() == Kind.GRANTED) {
                open.put(holder, new Open(event));
            } else {
                Open claim = open.get(holder);
                if (claim != null) {
                    claim.accept(event);
                }
            }
        }
        open.values()
                .forEach(claim -> claims.add(claim.close(deaths.getOrDefault(claim.granted.pid(), Long.MAX_VALUE))));
        Map<String, List<Claim>> byLock = new HashMap<>();
        claims.stream()
                // A process paused between the grant and its first look at the clock never claimed anything.
                .filter(claim -> claim.from < claim.until)
                .sorted(Comparator.comparingLong(Claim::from))
                .forEach(claim -> byLock.computeIfAbsent(claim.lock, lock -> new ArrayList<>())
                        .add(claim));
        return byLock;
    }

    private record Holder(long pid, String lock, long token) {}

    private static final class Open {
        private final Event granted;
        private long endedAt = Long.MAX_VALUE;
        private long heldAt = Long.MIN_VALUE;

        Open(Event granted) {
            this.granted = granted;
        }

        void accept(Event event) {
            switch (event.kind()) {
                case LEFT, LOST -> endedAt = Math.min(endedAt, event.nanos());
                case WRITING -> heldAt = event.value() == 1 ? event.nanos() : heldAt;
                default -> {}
            }
        }

        Claim close(long death) {
            boolean died = death < granted.value() && endedAt == Long.MAX_VALUE;
            long until = Math.min(died ? death : endedAt, granted.value());
            return new Claim(
                    granted.lock(),
                    granted.pid(),
                    granted.token(),
                    granted.nanos(),
                    Math.max(until, heldAt),
                    granted.value(),
                    died);
        }
    }
}
