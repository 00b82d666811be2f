// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import static io.holdfast.testkit.history.ProcessLog.NEVER;

import io.holdfast.testkit.history.Claim.End;
import io.holdfast.testkit.history.Event.Kind;

/** What the histories say about one acquire and the hold it led to. */
final class Acquire {
    /** A token is what Redis issued for the grant, and in these bits the turn that was taken on it in memory. */
    private static final int TURN_BITS = 10;

    final LockLog lock;
    final ProcessLog process;
    final long op;
    long owner;
    long token;
    long invokedAt = NEVER;
    long wait;
    long returnedAt = NEVER; // of the acquire, with a lease or without
    long grantedAt = NEVER;
    long leftAt = NEVER;
    long releasedAt = NEVER; // when a release answered, whatever it said
    long lostAt = NEVER;
    long heldAt = Long.MIN_VALUE; // when the lease was last asked and said yes
    boolean releasedInTime;
    boolean unknown;
    private long ttl;
    private long renewEvery;
    private long validUntil;
    private long validUntilSince = Long.MIN_VALUE;
    private long writingAt = NEVER;

    Acquire(LockLog lock, ProcessLog process, long op) {
        this.lock = lock;
        this.process = process;
        this.op = op;
    }

    /** Takes what was recorded. Those of two threads may come in any order, so instants are compared and never assumed. */
    void accept(Event event) {
        long at = event.nanos();
        switch (event.kind()) {
            case LEASE -> ttl = event.value();
            case RENEWING -> renewEvery = event.value();
            case OWNED -> owner = event.value();
            case INVOKED -> {
                invokedAt = at;
                wait = event.value();
            }
            case GRANTED -> {
                grantedAt = at;
                returnedAt = at;
                token = event.token();
                learn(at, event.value());
            }
            case BUSY, FAILED, CANCELLED, UNKNOWN -> {
                returnedAt = Math.min(returnedAt, at);
                unknown |= event.kind() == Kind.UNKNOWN;
            }
            case CHECKED -> {
                heldAt = Math.max(heldAt, at);
                learn(at, event.value());
            }
            case LOST -> {
                lostAt = Math.min(lostAt, at);
                if (event.value() != 0) {
                    learn(at, event.value());
                }
            }
            case LEFT -> leftAt = Math.min(leftAt, at);
            case RELEASED, LATE -> {
                releasedAt = Math.min(releasedAt, at);
                releasedInTime |= event.kind() == Kind.RELEASED;
            }
            case WRITING, WRITTEN -> write(event);
            default -> {}
        }
    }

    private void learn(long since, long instant) {
        if (since >= validUntilSince) {
            validUntilSince = since;
            validUntil = instant;
        }
    }

    private void write(Event event) {
        if (event.kind() == Kind.WRITING) {
            writingAt = event.nanos();
            heldAt = event.value() == 1 ? Math.max(heldAt, event.nanos()) : heldAt;
        } else {
            lock.writes.add(new LockLog.Write(this, event.token(), Math.min(writingAt, event.nanos()), event.nanos()));
        }
    }

    boolean isGranted() {
        return grantedAt != NEVER;
    }

    /** What Redis issued: the same for all turns on one grant. */
    long base() {
        return token >> TURN_BITS;
    }

    /** Whether this is a later turn on a grant, which passes from thread to thread without Redis being asked. */
    boolean isPassedOn() {
        return token != base() << TURN_BITS;
    }

    /** As far as known; a lease that was held to the end was so until it was given back, whatever renewed it. */
    long validUntil() {
        return releasedInTime && leftAt != NEVER ? Math.max(validUntil, leftAt) : validUntil;
    }

    /** Of the lease; without a record of it what the grant had left of it. */
    long ttl() {
        long known = ttl != 0 ? ttl : process.ttl;
        return known != 0 || !isGranted() ? known : Math.max(0, validUntil() - grantedAt);
    }

    /** 0 for a lease that is not renewed. */
    long renewEvery() {
        return renewEvery != 0 ? renewEvery : process.renewEvery;
    }

    /** What counts of a time in which its process was to learn something: it was let run, and could reach Redis. */
    long unhindered(long from, long until) {
        return until - from - process.hindered.within(from, until);
    }

    /** Until when its holder may have relied on it: until it was told, gave it back, or was no more. */
    long reliedUntil() {
        return Math.min(Math.min(lostAt, leftAt), process.endedAt);
    }

    Claim claim() {
        if (!isGranted()) {
            return new Claim(
                    lock.name, process.pid, op, owner, token, invokedAt, invokedAt, invokedAt, 0, End.NOT_GRANTED);
        }
        long until = Math.max(Math.min(reliedUntil(), validUntil()), heldAt);
        return new Claim(
                lock.name, process.pid, op, owner, token, invokedAt, grantedAt, until, validUntil(), end(until));
    }

    private End end(long until) {
        if (until < reliedUntil()) {
            return End.EXPIRED;
        }
        if (process.endedAt < Math.min(lostAt, leftAt)) {
            return End.DIED;
        }
        return lostAt < leftAt ? End.TOLD : End.LEFT;
    }
}
