// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

/** When the caller of an acquire wants an answer, whatever it is. */
final class Deadline {
    private final Engine engine;
    private final Patience patience;
    private final long startedAt;
    private final Alarms.Alarm alarm;

    Deadline(Engine engine, Patience patience, long startedAt, Runnable timeIsUp) {
        this.engine = engine;
        this.patience = patience;
        this.startedAt = startedAt;
        this.alarm = Alarms.Alarm.of(timeIsUp);
    }

    /** @param atLeast how long to give Redis, however near the end is */
    void set(long atLeast) {
        if (patience.waitNanos() > 0 && !patience.isEndless()) {
            long soonest = engine.clock.nanoTime() + atLeast;
            long ends = startedAt + patience.waitNanos();
            engine.alarms.set(alarm, ends - soonest > 0 ? ends : soonest);
        }
    }

    void cancel() {
        engine.alarms.cancel(alarm);
    }
}
