// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.testkit.history.Event;
import io.holdfast.testkit.history.Event.Kind;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A worker dies in the middle of a hold. It is told to hold on to a lock, killed once it says it does, and replaced; the
 * incident is over when somebody else gets that lock.
 */
final class KillIncident implements Incident {
    /** Long enough to be seen in the table. */
    private static final long LINGER = TimeUnit.MILLISECONDS.toNanos(400);

    private final Stage stage;
    private final Screen screen;
    private final WorkerProcess victim;
    private final String lock;
    private boolean asked;
    private @Nullable Event holding;
    private @Nullable Event killed;
    private boolean over;

    KillIncident(Stage stage, Screen screen, WorkerProcess victim, String lock) {
        this.stage = stage;
        this.screen = screen;
        this.victim = victim;
        this.lock = lock;
    }

    @Override
    public void accept(Event event) {
        if (over || !event.lock().equals(lock)) {
            return;
        }
        if (killed == null && event.pid() == victim.pid()) {
            switch (event.kind()) {
                case LINGERING -> holding = event;
                case LEFT -> { // it held on until the lease was lost, before we came to kill it: once more
                    asked = holding == null && asked;
                    holding = null;
                }
                default -> {}
            }
        } else if (killed != null && event.kind() == Kind.GRANTED && event.nanos() > killed.nanos()) {
            over = true;
            screen.say(lock + " is " + stage.nameAndPid(event.pid()) + "'s, "
                    + Format.millis(event.nanos() - killed.nanos()) + " ms after the kill");
        }
    }

    @Override
    public void step(long now) {
        Event hold = holding;
        if (!asked) {
            asked = true;
            victim.tell(DemoWorker.LINGER + lock);
        } else if (hold != null && killed == null && now - hold.nanos() > LINGER) {
            killed = stage.killAndRestart(victim, hold);
            screen.say("SIGKILL to " + stage.nameAndPid(victim.pid()) + " while it holds " + lock);
        }
    }

    @Override
    public boolean isOver() {
        return over;
    }
}
