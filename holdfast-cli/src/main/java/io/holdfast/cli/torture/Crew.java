// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import io.holdfast.cli.Cleanup;
import io.holdfast.cli.CommandFailure;
import io.holdfast.cli.WorkerProcess;
import io.holdfast.testkit.faults.Freezer;
import io.holdfast.testkit.history.Event;
import io.holdfast.testkit.history.Event.Kind;
import io.holdfast.testkit.history.History;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The workers of a run, and what is done to them. Not thread-safe. */
final class Crew {
    private static final long END_LIMIT_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private final Torture.Settings settings;
    private final Place place;
    private final Cleanup cleanup;
    private final History injected;
    private final List<WorkerProcess> living = new ArrayList<>();
    private int started;

    /** Where they meet: the address of the server, and the folder of the records. */
    record Place(String uri, Path folder) {
        Path register() {
            return folder.resolve("register");
        }
    }

    Crew(Torture.Settings settings, Place place, Cleanup cleanup, History injected) {
        this.settings = settings;
        this.place = place;
        this.cleanup = cleanup;
        this.injected = injected;
    }

    void start() {
        for (int i = 0; i < settings.workers(); i++) {
            living.add(launch(i));
        }
    }

    private WorkerProcess launch(int position) {
        int run = ++started;
        List<String> arguments = new ArrayList<>(List.of("torture-worker", "--prefix", Torture.PREFIX));
        String connector =
                settings.connectors().get(position % settings.connectors().size());
        arguments.addAll(List.of("--connector", connector));
        arguments.addAll(List.of("--register", place.register().toString()));
        arguments.addAll(List.of("--seed", Long.toString(settings.seed() * 1_000 + run)));
        if (settings.skipLocks()) {
            arguments.add("--skip-locks");
        }
        WorkerProcess.Launch launch =
                new WorkerProcess.Launch(connector + "-" + position, run, place.folder(), arguments);
        return cleanup.make(() -> WorkerProcess.start(launch, place.uri()), gone -> {
            gone.destroy();
            gone.waitFor(TimeUnit.SECONDS.toMillis(5));
        });
    }

    /** SIGKILL, and another one in its place. */
    void kill(int choice) {
        int position = choice % living.size();
        injected.record(living.get(position).kill(Event.NO_LOCK));
        living.set(position, launch(position));
    }

    /** SIGSTOP; what is returned lets it go on. */
    Runnable pause(int choice) {
        WorkerProcess worker = living.get(choice % living.size());
        long pausedAt = System.nanoTime();
        Freezer freezer = cleanup.make(() -> Freezer.freeze(worker.pid()), Freezer::close);
        injected.record(new Event(pausedAt, Kind.PAUSED, worker.pid(), 0, Event.NO_LOCK, 0, 0));
        return () -> {
            freezer.close();
            injected.record(Event.of(Kind.RESUMED, worker.pid()));
        };
    }

    /** All that was recorded since the last call. */
    void news(Consumer<Event> reader) {
        for (WorkerProcess worker : living) {
            if (!worker.isAlive()) {
                throw new CommandFailure(worker.name() + " ended unexpectedly: " + worker.lastWords(), null);
            }
            worker.news(reader);
        }
    }

    /** Lets every worker finish; how many left threads of Holdfast behind, or had to be killed. */
    int stop() {
        int unclean = 0;
        living.forEach(worker -> worker.tell(TortureWorker.STOP));
        for (WorkerProcess worker : living) {
            if (!worker.waitFor(END_LIMIT_MILLIS)) {
                injected.record(worker.kill(Event.NO_LOCK));
                unclean++;
            } else if (worker.exitCode() != 0) {
                unclean++;
            }
        }
        return unclean;
    }
}
