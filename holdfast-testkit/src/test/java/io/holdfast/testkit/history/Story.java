// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import io.holdfast.testkit.history.Event.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A history made by hand; all times in milliseconds. Leases last a second unless it says otherwise. */
final class Story {
    static final String LOCK = "order:1";
    static final Settings STRICT = new Settings(
            Duration.ofMillis(100), Duration.ZERO, Settings.standard().withoutExclusion());
    static final long TTL = 1_000;

    final List<Event> events = new ArrayList<>();
    private String lock = LOCK;

    /** What follows is about that lock. */
    Story on(String other) {
        lock = other;
        return this;
    }

    /** Something that happens to a process, or with 0 to the server. */
    Story at(long millis, Kind kind, long pid) {
        return at(millis, kind, pid, 0);
    }

    Story at(long millis, Kind kind, long pid, long value) {
        events.add(new Event(nanos(millis), kind, pid, 0, Event.NO_LOCK, 0, nanos(value)));
        return this;
    }

    Story fault(long from, long until, Fault fault, long pid) {
        events.add(Event.of(Kind.FAULT_BEGINS, fault).withPid(pid).withNanos(nanos(from)));
        events.add(Event.of(Kind.FAULT_ENDS, fault).withPid(pid).withNanos(nanos(until)));
        return this;
    }

    Story removed(long millis, String named) {
        events.add(new Event(nanos(millis), Kind.REMOVED, 0, 0, named, 0, nanos(millis)));
        return this;
    }

    Op op(long pid, long number) {
        return new Op(pid, number, lock);
    }

    /** A whole hold, properly given back. */
    Story hold(long pid, long token, long from, long until) {
        op(pid, token).invoked(from, 5_000).granted(from, token).left(until);
        return this;
    }

    Findings check() {
        return Checker.check(events, STRICT);
    }

    static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** One acquire, and what comes of it. */
    final class Op {
        private final long pid;
        private final long number;
        private final String of;
        private long token;

        private Op(long pid, long number, String of) {
            this.pid = pid;
            this.number = number;
            this.of = of;
        }

        Op at(long millis, Kind kind) {
            return at(millis, kind, 0);
        }

        private Op at(long millis, Kind kind, long value) {
            events.add(new Event(nanos(millis), kind, pid, number, of, token, value));
            return this;
        }

        Op owned(long millis, long owner) {
            return at(millis, Kind.OWNED, owner);
        }

        Op renewing(long millis, long every) {
            return at(millis, Kind.RENEWING, nanos(every));
        }

        Op invoked(long millis, long wait) {
            at(millis, Kind.LEASE, nanos(TTL));
            return at(millis, Kind.INVOKED, nanos(wait));
        }

        Op granted(long millis, long fence) {
            return granted(millis, fence, millis + TTL);
        }

        Op granted(long millis, long fence, long validUntil) {
            token = fence;
            return at(millis, Kind.GRANTED, nanos(validUntil));
        }

        Op checked(long millis, long validUntil) {
            return at(millis, Kind.CHECKED, nanos(validUntil));
        }

        Op wrote(long from, long until) {
            return at(from, Kind.WRITING).at(until, Kind.WRITTEN);
        }

        /** Releases in no time. */
        Op left(long millis) {
            return at(millis, Kind.LEFT).at(millis, Kind.RELEASED);
        }
    }
}
