// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import io.holdfast.testkit.history.Event.Kind;
import io.holdfast.testkit.history.Intervals.Interval;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All histories of a run, by process, lock and acquire, a record at a time; only what the checks need is kept. */
final class Run {
    private final Map<Long, ProcessLog> processes = new HashMap<>();
    private final Map<String, LockLog> locks = new HashMap<>();
    private final Map<Fault, ProcessLog.Stretches> commonFaults = new EnumMap<>(Fault.class);
    private final List<Interval> removals = new ArrayList<>();
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private long firstInstant = Long.MAX_VALUE;
    private long lastInstant = Long.MIN_VALUE;

    // From here on known once it is complete.
    private List<Interval> outages = List.of();
    private List<Interval> withoutExclusion = List.of();
    private final List<Interval> bringingBackOldData = new ArrayList<>();
    private long slack;
    private long commandTimeout;

    void accept(Event event) {
        firstInstant = Math.min(firstInstant, event.nanos());
        lastInstant = Math.max(lastInstant, event.nanos());
        counts.merge(event.kind(), 1L, Long::sum);
        switch (event.kind()) {
            case FAULT_BEGINS, FAULT_ENDS -> fault(event);
            case REMOVED -> {
                Interval removal = new Interval(event.nanos(), Math.max(event.nanos(), event.value()));
                (event.lock().equals(Event.NO_LOCK) ? removals : lock(event.lock()).removals).add(removal);
            }
            case ENDED, KILLED, PAUSED, RESUMED -> ofProcess(process(event), event);
            default -> {
                if (event.op() == 0) {
                    ofProcess(process(event), event);
                } else {
                    ofAcquire(process(event), event);
                }
            }
        }
    }

    private void fault(Event event) {
        Fault fault = event.fault();
        if (event.pid() != 0 && !fault.isUnreachable()) {
            return;
        }
        ProcessLog.Stretches stretches = event.pid() != 0
                ? process(event).faults
                : commonFaults.computeIfAbsent(fault, any -> new ProcessLog.Stretches());
        if (event.kind() == Kind.FAULT_BEGINS) {
            stretches.begin(event.nanos());
        } else {
            stretches.end(event.nanos());
        }
    }

    private static void ofProcess(ProcessLog process, Event event) {
        switch (event.kind()) {
            case LEASE -> process.ttl = event.value();
            case RENEWING -> process.renewEvery = event.value();
            case KILLED -> process.endedAt = Math.min(process.endedAt, Math.max(event.nanos(), event.value()));
            case ENDED -> process.endedAt = Math.min(process.endedAt, event.nanos());
            case PAUSED -> process.pauses.begin(event.nanos());
            case RESUMED -> process.pauses.end(event.nanos());
            default -> {}
        }
    }

    private void ofAcquire(ProcessLog process, Event event) {
        Acquire acquire = process.acquires.get(event.op());
        if (acquire == null) {
            LockLog lock = lock(event.lock());
            acquire = new Acquire(lock, process, event.op());
            process.acquires.put(event.op(), acquire);
            lock.acquires.add(acquire);
        }
        acquire.accept(event);
    }

    private ProcessLog process(Event event) {
        return processes.computeIfAbsent(event.pid(), ProcessLog::new);
    }

    private LockLog lock(String name) {
        return locks.computeIfAbsent(name, LockLog::new);
    }

    /** Once everything was taken. */
    void complete(Settings settings) {
        slack = settings.slack().toNanos();
        commandTimeout = settings.commandTimeout().toNanos();
        List<Interval> unreachable = new ArrayList<>();
        List<Interval> breaking = new ArrayList<>(removals);
        commonFaults.forEach((fault, stretches) -> {
            List<Interval> lasted = stretches.until(lastInstant);
            if (fault.isUnreachable()) {
                unreachable.addAll(lasted);
            }
            if (fault.mayBringBackOldData()) {
                bringingBackOldData.addAll(lasted);
            }
            if (settings.withoutExclusion().contains(fault)) {
                breaking.addAll(lasted);
            }
        });
        outages = unreachable;
        withoutExclusion = breaking;
        processes.values().forEach(process -> process.complete(lastInstant, unreachable));
    }

    List<Interval> bringingBackOldData() {
        return bringingBackOldData;
    }

    Collection<LockLog> locks() {
        return locks.values();
    }

    long count(Kind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    long firstInstant() {
        return firstInstant;
    }

    long lastInstant() {
        return lastInstant;
    }

    long slack() {
        return slack;
    }

    long commandTimeout() {
        return commandTimeout;
    }

    /** How long a process may not know that the key of a lease is gone: until the next renewal is answered. */
    long unawareFor(Acquire acquire) {
        return acquire.renewEvery() + slack;
    }

    /** When nobody could reach Redis. */
    List<Interval> outages() {
        return outages;
    }

    /**
     * Faults, and removals of that lock's key, after which two may hold it for the length of a lease, and a
     * process may pass on what it has lost until it knows.
     */
    Intervals withoutExclusion(LockLog lock) {
        List<Interval> all = new ArrayList<>(withoutExclusion);
        all.addAll(lock.removals);
        return Intervals.of(all);
    }

    /** The removals of that lock's key, by time. */
    List<Interval> removals(LockLog lock) {
        List<Interval> all = new ArrayList<>(removals);
        all.addAll(lock.removals);
        all.sort(Comparator.comparingLong(Interval::from));
        return all;
    }
}
