// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import io.holdfast.cli.CommandFailure;
import io.holdfast.cli.Format;
import io.holdfast.cli.Screen;
import io.holdfast.testkit.history.Event;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Shows how far a run is. Not thread-safe. */
final class Progress {
    private static final long REDRAW = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long NEXT_LINE = TimeUnit.SECONDS.toNanos(15);
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(20);

    private final Screen screen;
    private final Crew crew;
    private final long startedAt = System.nanoTime();
    private long shownAt = startedAt;
    private int ready;
    private long grants;
    private long losses;
    private long failures;
    private int ordeals;
    private @Nullable Ordeal current;

    Progress(Screen screen, Crew crew) {
        this.screen = screen;
        this.crew = crew;
    }

    void awaitReady(int workers, long limitNanos) {
        while (ready < workers) {
            if (System.nanoTime() - startedAt > limitNanos) {
                throw new CommandFailure("the workers did not start within a minute", null);
            }
            LockSupport.parkNanos(TICK);
            crew.news(this::count);
        }
    }

    /** What is done to them now; null for nothing. */
    void now(@Nullable Ordeal ordeal) {
        current = ordeal;
        ordeals += ordeal == null ? 0 : 1;
        show();
    }

    /** Leases given so far. */
    long grants() {
        return grants;
    }

    void update() {
        crew.news(this::count);
        if (System.nanoTime() - shownAt > (screen.isLive() ? REDRAW : NEXT_LINE)) {
            show();
        }
    }

    private void count(Event event) {
        switch (event.kind()) {
            case READY -> ready++;
            case GRANTED -> grants++;
            case LOST -> losses++;
            case FAILED, UNKNOWN -> failures++;
            default -> {}
        }
    }

    private void show() {
        long now = System.nanoTime();
        if (!screen.isLive() && now - shownAt < NEXT_LINE) {
            return;
        }
        shownAt = now;
        String line = TimeUnit.NANOSECONDS.toSeconds(now - startedAt) + " s: " + Format.count(grants) + " leases, "
                + Format.count(losses) + " told lost, " + Format.count(failures) + " unanswered, "
                + Format.count(ordeals, "fault") + " so far";
        if (screen.isLive()) {
            screen.show(List.of(line, current == null ? "  (calm)" : "  " + current.words()));
        } else {
            screen.say(line);
        }
    }
}
