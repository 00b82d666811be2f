// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.testkit.faults.Freezer;
import io.holdfast.testkit.history.Event;
import io.holdfast.testkit.history.Event.Kind;
import io.holdfast.testkit.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The workers of a run, living and dead, and the demo's own history of what it did to them. Not thread-safe. */
final class Stage {
    private final Demo.Settings settings;
    private final Demo.Place place;
    private final Cleanup cleanup;
    private final History own;
    private final List<WorkerProcess> living = new ArrayList<>();
    private final List<WorkerProcess> dead = new ArrayList<>();
    private final Map<Long, String> names = new HashMap<>();
    private final Map<Long, String> states = new HashMap<>();

    Stage(Demo.Settings settings, Demo.Place place, Cleanup cleanup) {
        this.settings = settings;
        this.place = place;
        this.cleanup = cleanup;
        this.own = cleanup.make(() -> History.create(place.folder().resolve("demo" + History.SUFFIX)), History::close);
    }

    void start() {
        for (int i = 1; i <= settings.workers(); i++) {
            living.add(launch("worker-" + i, 1));
        }
    }

    private WorkerProcess launch(String name, int run) {
        WorkerProcess.Launch launch =
                new WorkerProcess.Launch(name, run, place.folder(), settings.workerArguments(place, name + run));
        WorkerProcess worker = cleanup.make(() -> WorkerProcess.start(launch, place.uri()), gone -> {
            gone.destroy();
            gone.waitFor(TimeUnit.SECONDS.toMillis(5));
        });
        names.put(worker.pid(), name);
        return worker;
    }

    WorkerProcess worker(int index) {
        return living.get(index);
    }

    /** SIGKILL in the middle of a hold, and a new process in its place. */
    Event killAndRestart(WorkerProcess victim, Event holding) {
        Event killed = victim.kill(holding.lock());
        own.record(killed);
        states.put(victim.pid(), "killed");
        dead.add(victim);
        living.set(living.indexOf(victim), launch(victim.name(), dead.size() + 1));
        return killed;
    }

    /** SIGSTOP in the middle of a hold. */
    Freezer pause(WorkerProcess worker, Event holding) {
        long pausedAt = System.nanoTime();
        Freezer freezer = cleanup.make(() -> Freezer.freeze(worker.pid()), Freezer::close);
        own.record(new Event(pausedAt, Kind.PAUSED, worker.pid(), holding.op(), holding.lock(), holding.token(), 0));
        states.put(worker.pid(), "paused");
        return freezer;
    }

    /** SIGCONT. */
    void resume(WorkerProcess worker, Freezer freezer) {
        own.record(Event.of(Kind.RESUMED, worker.pid()));
        freezer.close();
        states.remove(worker.pid());
    }

    /** All that was recorded since the last call, by time. */
    List<Event> news() {
        List<Event> news = new ArrayList<>();
        for (WorkerProcess worker : living) {
            if (!worker.isAlive()) {
                throw new CommandFailure(worker.name() + " ended unexpectedly: " + worker.lastWords(), null);
            }
            news.addAll(worker.news());
        }
        news.sort(Comparator.comparingLong(Event::nanos));
        return news;
    }

    /** Lets every worker finish; one that does not is killed, which ends its claims. */
    void stop() {
        living.forEach(worker -> worker.tell(DemoWorker.STOP));
        for (WorkerProcess worker : living) {
            if (!worker.waitFor(TimeUnit.SECONDS.toMillis(10))) {
                own.record(worker.kill(Event.NO_LOCK));
            }
        }
    }

    Optional<String> nameOfLiving(long pid) {
        return living.stream()
                .filter(worker -> worker.pid() == pid)
                .map(WorkerProcess::name)
                .findFirst();
    }

    /** Name and process id, or what was done to it. */
    String describe(long pid) {
        String name = names.get(pid);
        String state = states.get(pid);
        return name == null ? "pid " + pid : state == null ? name + "/" + pid : name + " " + state;
    }

    /** Name and process id. */
    String nameAndPid(long pid) {
        return names.getOrDefault(pid, "unknown") + " (pid " + pid + ")";
    }
}
