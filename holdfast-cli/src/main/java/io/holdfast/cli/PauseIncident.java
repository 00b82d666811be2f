// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.testkit.faults.Freezer;
import io.holdfast.testkit.history.Event;
import io.holdfast.testkit.history.Event.Kind;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A worker stands still for longer than its lease, as in a long garbage collection, and then writes as if nothing had
 * happened. It goes on only after another holder has written, for before that its write would not be stale. Over when
 * the store has answered.
 */
final class PauseIncident implements Incident {
    private static final long PAUSE = Demo.TTL.toNanos() + TimeUnit.MILLISECONDS.toNanos(500);

    private final Stage stage;
    private final Screen screen;
    private final WorkerProcess worker;
    private final String lock;
    private boolean asked;
    private @Nullable Event holding;
    private @Nullable Freezer freezer;
    private long pausedAt;
    private boolean succeeded;
    private boolean resumed;
    private boolean over;

    PauseIncident(Stage stage, Screen screen, WorkerProcess worker, String lock) {
        this.stage = stage;
        this.screen = screen;
        this.worker = worker;
        this.lock = lock;
    }

    @Override
    public void accept(Event event) {
        if (over || !event.lock().equals(lock)) {
            return;
        }
        Event hold = holding;
        if (event.pid() == worker.pid() && event.kind() == Kind.LINGERING) {
            holding = event;
        } else if (hold != null && event.token() > hold.token() && event.kind() == Kind.WRITTEN) {
            succeeded = true;
        } else if (hold != null && event.token() == hold.token()) {
            boolean rejected = event.kind() == Kind.REJECTED;
            if (rejected || event.kind() == Kind.WRITTEN) {
                over = true;
                screen.say("its late write with the old token was " + (rejected ? "rejected" : "ACCEPTED"));
            }
        }
    }

    @Override
    public void step(long now) {
        Event hold = holding;
        if (!asked) {
            asked = true;
            worker.tell(DemoWorker.LINGER + lock);
        } else if (hold != null && freezer == null) {
            freezer = stage.pause(worker, hold);
            pausedAt = now;
            screen.say("SIGSTOP to " + stage.nameAndPid(worker.pid()) + " while it holds " + lock);
        } else if (freezer != null && !resumed && succeeded && now - pausedAt > PAUSE) {
            resumed = true;
            stage.resume(worker, freezer);
            screen.say("SIGCONT to " + stage.nameAndPid(worker.pid()) + " " + Format.millis(now - pausedAt)
                    + " ms later, after others held " + lock);
        }
    }

    @Override
    public boolean isOver() {
        return over;
    }
}
