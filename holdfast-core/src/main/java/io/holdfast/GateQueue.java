// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Who waits at a {@link Gate}, first come first, and how far the first of them has got. Guarded by the gate. */
final class GateQueue {
    /** How often the first may come in vain, and for how long, before the lock is kept for it. */
    private static final int IN_VAIN = 7;

    private static final long IN_VAIN_NANOS = Duration.ofMillis(8).toNanos();

    private final Deque<Acquisition> waiting = new ArrayDeque<>(2);
    // Of the first one.
    private boolean called;
    private int cameInVain;
    private long calledAt;

    void add(Acquisition acquisition) {
        waiting.add(acquisition);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    @Nullable
    Acquisition peek() {
        return waiting.peek();
    }

    /** Whatever was said to the one that was first does not hold for the next. */
    @Nullable
    Acquisition poll() {
        called = false;
        cameInVain = 0;
        return waiting.poll();
    }

    /** Takes one out; whether it was the first. */
    @SuppressWarnings("ReferenceEquality") // that very one
    boolean remove(Acquisition gone) {
        boolean wasFirst = waiting.peek() == gone;
        if (wasFirst) {
            poll();
        } else {
            waiting.remove(gone);
        }
        return wasFirst;
    }

    List<Acquisition> removeAll(Predicate<Acquisition> which) {
        List<Acquisition> removed = waiting.stream().filter(which).toList();
        removed.forEach(this::remove);
        return removed;
    }

    /** Who is to be told, outside of the monitor, to come: nobody when that has been done. */
    @Nullable
    Acquisition firstToCall(long now) {
        Acquisition first = called ? null : waiting.peek();
        if (first != null) {
            called = true;
            calledAt = cameInVain == 0 ? now : calledAt;
        }
        return first;
    }

    void firstHasCome() {
        called = false;
    }

    void firstCameInVain() {
        cameInVain++;
    }

    /** Whether nobody may be faster than the first any more. */
    boolean isFirstDue(long now) {
        return cameInVain >= IN_VAIN || (cameInVain > 0 && now - calledAt >= IN_VAIN_NANOS);
    }
}
