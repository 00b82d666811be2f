// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import io.holdfast.testkit.history.Event.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The history of one lock that keeps all its promises: four processes contend for it, wait, give up, renew, re-enter, die,
 * are paused, and lose it. Tokens rise by ten, so that there is room between them.
 */
final class SimulatedLock implements Iterator<Event> {
    static final long TTL = TimeUnit.SECONDS.toNanos(1);
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int PROCESSES = 4;

    private final String name;
    private final Random random;
    private final Deque<Event> next = new ArrayDeque<>();
    private final long[] pids = new long[PROCESSES];
    private final long[] idleSince = new long[PROCESSES];
    private int holdsLeft;
    private long op;
    private long token = 1_000;
    private long freeAt;
    private long nextPid;

    /** The pids of several locks are kept apart by the first one. */
    SimulatedLock(String name, long firstPid, long seed, int holds) {
        this.name = name;
        this.random = new Random(seed);
        this.nextPid = firstPid;
        this.holdsLeft = holds;
        for (int i = 0; i < PROCESSES; i++) {
            pids[i] = nextPid++;
        }
    }

    @Override
    public boolean hasNext() {
        return holdsLeft > 0 || !next.isEmpty();
    }

    @Override
    public Event next() {
        if (next.isEmpty() && holdsLeft-- > 0) {
            hold();
        }
        Event event = next.poll();
        if (event == null) {
            throw new NoSuchElementException();
        }
        return event;
    }

    private void hold() {
        int who = random.nextInt(PROCESSES);
        op++;
        token += 10;
        long asked = Math.max(idleSince[who] + 1, freeAt - millis(300));
        long granted = Math.max(asked, freeAt) + millis(5);
        add(asked, Kind.LEASE, who, TTL);
        int fate = random.nextInt(100);
        if (fate < 10) {
            add(asked, Kind.RENEWING, who, TTL / 3);
        } else if (fate < 15) {
            add(asked, Kind.OWNED, who, op);
        }
        add(asked, Kind.INVOKED, who, 10_000 * MILLI);
        add(granted, Kind.GRANTED, who, granted + TTL);
        add(granted + 1, Kind.ENTERED, who, 0);
        add(granted + 1, Kind.WRITING, who, 1);
        add(granted + 2, Kind.WRITTEN, who, 0);
        long over = granted + 3;
        if (fate < 10) {
            renew(who, over);
        } else if (fate < 15) {
            reEnter(who, over);
        } else if (fate < 17) {
            die(who, over);
        } else if (fate < 19) {
            lose(who, granted + TTL - millis(10));
        } else if (fate < 21) {
            standStill(who, granted + TTL);
        } else {
            release(who, over + millis(5));
        }
        if (fate > 90) {
            giveUp((who + 1) % PROCESSES);
        }
    }

    private void renew(int who, long from) {
        long now = from;
        for (int i = 3 + random.nextInt(3); i > 0; i--) {
            now += TTL / 3;
            add(now, Kind.CHECKED, who, now + TTL);
        }
        release(who, now + 1);
    }

    /** Another process enters on behalf of the same owner, and leaves first or last. */
    private void reEnter(int who, long from) {
        int other = (who + 1) % PROCESSES;
        long outer = op;
        long asked = Math.max(from, idleSince[other] + 1);
        if (asked > from + millis(300)) {
            release(who, from + 1);
            return;
        }
        op++;
        add(asked, Kind.OWNED, other, outer);
        add(asked, Kind.INVOKED, other, 0);
        add(asked + MILLI, Kind.GRANTED, other, asked + MILLI + TTL);
        long inner = op;
        boolean innerFirst = random.nextBoolean();
        release(other, asked + (innerFirst ? 2 : 5) * MILLI);
        long first = freeAt;
        op = outer;
        release(who, asked + 3 * MILLI);
        freeAt = Math.max(first, freeAt);
        op = inner;
    }

    private void release(int who, long at) {
        long done = at + millis(2);
        add(at, Kind.LEFT, who, 0);
        add(done, Kind.RELEASED, who, 0);
        freeAt = done;
        idleSince[who] = done;
    }

    private void die(int who, long at) {
        next.add(new Event(at, Kind.KILLED, pids[who], 0, Event.NO_LOCK, 0, at + MILLI));
        freeAt = at + TTL;
        idleSince[who] = freeAt;
        pids[who] = nextPid++;
    }

    private void lose(int who, long at) {
        add(at, Kind.LOST, who, 0);
        add(at + MILLI, Kind.LEFT, who, 0);
        add(at + 2 * MILLI, Kind.LATE, who, 0);
        freeAt = at + 20 * MILLI;
        idleSince[who] = freeAt;
    }

    private void standStill(int who, long validUntil) {
        long resumed = validUntil + millis(2_000);
        next.add(new Event(validUntil - 100 * MILLI, Kind.PAUSED, pids[who], 0, Event.NO_LOCK, 0, 0));
        next.add(new Event(resumed, Kind.RESUMED, pids[who], 0, Event.NO_LOCK, 0, 0));
        add(resumed + 1, Kind.WRITING, who, 0);
        add(resumed + 2, Kind.REJECTED, who, 0);
        lose(who, resumed + millis(50));
        freeAt = validUntil + millis(20);
    }

    /** One who came while the lock was held, and did not want to wait. */
    private void giveUp(int who) {
        long asked = Math.max(idleSince[who] + 1, freeAt - 2 * MILLI);
        op++;
        add(asked, Kind.INVOKED, who, 20 * MILLI);
        add(asked + 20 * MILLI, Kind.BUSY, who, 0);
        idleSince[who] = asked + 20 * MILLI;
    }

    private void add(long nanos, Kind kind, int who, long value) {
        next.add(new Event(nanos, kind, pids[who], op, name, token, value));
    }

    /** Up to so many. */
    private long millis(int most) {
        return 1 + (long) (random.nextDouble() * most * MILLI);
    }
}
