// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.util.concurrent.Executor;

/**
 * The time between two questions: it ends when its alarm rings or word comes, whichever is first, and then there is exactly
 * one more question.
 *
 * <p>Word that comes while a question is under way is not forgotten, for the answer may be older than the word: the next pause
 * then ends at once. Each word makes for one question at most, so stale ones can't spin. Thread-safe.
 */
final class Pause {
    private final Alarms alarms;
    private final Executor steps;
    private final Runnable ask;
    private final Alarms.Alarm alarm = Alarms.Alarm.of(this::rings);

    // Guarded by this.
    private boolean woken;
    private boolean pausing;

    Pause(Alarms alarms, Executor steps, Runnable ask) {
        this.alarms = alarms;
        this.steps = steps;
        this.ask = ask;
    }

    /** A question is about to be sent: it will see what the word so far was about. */
    synchronized void asking() {
        woken = false;
        pausing = false;
    }

    void until(long instant) {
        begin(() -> alarms.set(alarm, instant));
    }

    /** Until word comes, or something else ends it all. */
    void untilWord() {
        begin(() -> {});
    }

    private void begin(Runnable setAlarm) {
        synchronized (this) {
            if (!woken) {
                pausing = true;
                setAlarm.run();
                return;
            }
        }
        steps.execute(ask);
    }

    void wake() {
        synchronized (this) {
            woken = true;
            if (!pausing) {
                return;
            }
            pausing = false;
            alarms.cancel(alarm);
        }
        steps.execute(ask);
    }

    /** Ends it without a question; false when there is one already, or will be. */
    synchronized boolean stop() {
        boolean stopped = pausing;
        pausing = false;
        alarms.cancel(alarm);
        return stopped;
    }

    void cancel() {
        alarms.cancel(alarm);
    }

    private void rings() {
        synchronized (this) {
            if (!pausing) {
                return; // woken in this very moment
            }
            pausing = false;
        }
        steps.execute(ask);
    }
}
