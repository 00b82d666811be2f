// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import io.holdfast.testkit.history.Event.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Plants one violation somewhere in the history of {@link SimulatedLock}s. */
final class Spoiler {
    /** A process that is in none of them. */
    static final long STRANGER = 1_000_000;

    private static final long MILLI = Story.nanos(1);

    private final List<Event> events;
    private final Random random;

    /** What can be planted, and what must be found then. */
    enum Plant {
        TWO_HOLDERS(Property.EXCLUSION, Spoiler::twoHolders),
        TOKEN_TWICE(Property.FENCES, Spoiler::tokenTwice),
        TOKEN_TOO_LOW(Property.FENCES, Spoiler::tokenTooLow),
        STALE_WRITE(Property.FENCED_WRITES, Spoiler::staleWrite),
        TOLD_LATE(Property.TOLD, Spoiler::toldLate),
        REMOVAL_NOT_TOLD(Property.TOLD, Spoiler::removalNotTold),
        HELD_AGAIN(Property.TOLD, Spoiler::heldAgain),
        NOT_FREED(Property.FREE, Spoiler::notFreed),
        NEVER_RETURNS(Property.ENDS, Spoiler::neverReturns);

        final Property broken;
        private final Consumer<Spoiler> how;

        Plant(Property broken, Consumer<Spoiler> how) {
            this.broken = broken;
            this.how = how;
        }

        void into(List<Event> events, long seed) {
            how.accept(new Spoiler(events, new Random(seed)));
        }
    }

    private Spoiler(List<Event> events, Random random) {
        this.events = events;
        this.random = random;
    }

    private void twoHolders() {
        Event granted = any(e -> e.kind() == Kind.GRANTED);
        stranger(granted.nanos() + 1, Kind.INVOKED, granted.lock(), 0);
        stranger(granted.nanos() + 2, Kind.GRANTED, granted.lock(), granted.token() + 5);
        stranger(granted.nanos() + 3, Kind.LEFT, granted.lock(), granted.token() + 5);
    }

    private void tokenTwice() {
        Event first = any(e -> e.kind() == Kind.GRANTED);
        Event second =
                any(e -> e.kind() == Kind.GRANTED && e.lock().equals(first.lock()) && e.token() != first.token());
        renumber(second, first.token());
    }

    private void tokenTooLow() {
        Event late = any(e -> e.kind() == Kind.INVOKED
                && events.stream().anyMatch(of(e, Kind.GRANTED))
                && events.stream()
                        .anyMatch(g -> g.kind() == Kind.GRANTED && g.lock().equals(e.lock()) && g.nanos() < e.nanos()));
        renumber(late, 1);
    }

    private void staleWrite() {
        Event written = any(e -> e.kind() == Kind.WRITTEN);
        stranger(written.nanos() + 1, Kind.WRITING, written.lock(), written.token() - 5);
        stranger(written.nanos() + 2, Kind.WRITTEN, written.lock(), written.token() - 5);
    }

    private void toldLate() {
        Event lost = any(e -> e.kind() == Kind.LOST && isLeftAlone(e));
        Predicate<Event> end = of(lost, Kind.LOST).or(of(lost, Kind.LEFT)).or(of(lost, Kind.LATE));
        events.replaceAll(e -> end.test(e) ? e.withNanos(e.nanos() + 5_000 * MILLI) : e);
    }

    private void removalNotTold() {
        Event granted = any(of(any(e -> e.kind() == Kind.RENEWING), Kind.GRANTED));
        long at = granted.nanos() + 1;
        events.add(new Event(at, Kind.REMOVED, 0, 0, granted.lock(), 0, at));
    }

    private void heldAgain() {
        Event over = any(e -> e.kind() == Kind.LOST || e.kind() == Kind.RELEASED);
        long at = over.nanos() + 1;
        events.add(new Event(at, Kind.CHECKED, over.pid(), over.op(), over.lock(), over.token(), at + MILLI));
    }

    private void notFreed() {
        Event left = any(e -> e.kind() == Kind.LEFT || e.kind() == Kind.LOST);
        stranger(left.nanos() - 1, Kind.INVOKED, left.lock(), 0);
        events.removeIf(e -> e.kind() == Kind.GRANTED && e.lock().equals(left.lock()) && e.token() > left.token());
    }

    private void neverReturns() {
        events.remove(any(e -> e.kind() == Kind.BUSY && isLeftAlone(e)));
    }

    private Event any(Predicate<Event> which) {
        List<Event> found = new ArrayList<>(events);
        Collections.shuffle(found, random);
        return found.stream().filter(which).findFirst().orElseThrow();
    }

    /** Whether its process lives and runs to the end. */
    private boolean isLeftAlone(Event event) {
        return events.stream()
                .filter(e -> e.pid() == event.pid() && e.nanos() > event.nanos())
                .noneMatch(e -> e.kind() == Kind.KILLED || e.kind() == Kind.PAUSED);
    }

    private static Predicate<Event> of(Event other, Kind kind) {
        return e -> e.kind() == kind && e.pid() == other.pid() && e.op() == other.op();
    }

    private void renumber(Event of, long token) {
        events.replaceAll(e -> e.pid() == of.pid() && e.op() == of.op()
                ? new Event(e.nanos(), e.kind(), e.pid(), e.op(), e.lock(), token, e.value())
                : e);
    }

    private void stranger(long nanos, Kind kind, String lock, long token) {
        events.add(new Event(nanos, kind, STRANGER, 1, lock, token, nanos + 60_000 * MILLI));
    }
}
