// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.LockException;
import io.holdfast.LockInfo;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.RedisAddress;
import io.holdfast.testkit.history.Event;
import io.holdfast.testkit.history.Event.Kind;
import io.holdfast.testkit.history.History;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One run of the demo: a server, workers that contend, one of them killed and one of them paused in the middle of a hold,
 * and a verdict from what the workers wrote down.
 */
final class Demo {
    static final Duration TTL = Duration.ofSeconds(2);

    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long REDRAW = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long NEXT_LINE = TimeUnit.SECONDS.toNanos(3);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

    private final Settings settings;
    private final Screen screen;
    private final Cleanup cleanup;
    private final Board board = new Board();
    private final Deque<Incident> incidents = new ArrayDeque<>();

    /** What the user asked for. */
    record Settings(
            @Nullable String redis,
            int workers,
            int locks,
            int seconds,
            long seed,
            @Nullable Path history,
            boolean skipLocks) {

        /** The command line of a worker. */
        List<String> workerArguments(Place place, String worker) {
            List<String> line = new ArrayList<>(List.of("demo-worker", "--prefix", place.prefix()));
            line.addAll(List.of("--locks", Integer.toString(locks)));
            line.addAll(List.of("--seed", Long.toString(seed * 31 + worker.hashCode())));
            if (history == null) {
                line.add("--scratch");
            }
            if (skipLocks) {
                line.add("--skip-locks");
            }
            return line;
        }
    }

    /** Where a run happens; the URI may hold a password. */
    record Place(String uri, String prefix, Path folder) {}

    Demo(Settings settings, Screen screen, Cleanup cleanup) {
        this.settings = settings;
        this.screen = screen;
        this.cleanup = cleanup;
    }

    static List<String> orders(int number) {
        return IntStream.rangeClosed(1, number).mapToObj(i -> "order:" + i).toList();
    }

    static String valueKey(String prefix, String lock) {
        return prefix + ":value:" + lock;
    }

    Verdict run() {
        Place place = place();
        RedisAddress address = Redis.address(place.uri());
        if (settings.redis() != null) {
            cleanup.make(place::prefix, prefix -> Redis.deleteKeys(address, prefix));
        }
        Holdfast holdfast = cleanup.make(
                () -> Holdfast.builder()
                        .connector(JedisConnector.connect(address))
                        .keyPrefix(place.prefix())
                        .build(),
                Holdfast::close);
        Stage stage = new Stage(settings, place, cleanup);
        stage.start();
        awaitWorkers(stage);
        plan(stage);
        watch(stage, holdfast);
        stage.stop();
        return Verdict.of(History.readAll(place.folder()));
    }

    private Place place() {
        Path wanted = settings.history();
        Path folder =
                wanted != null ? Folders.empty(wanted) : cleanup.make(() -> Folders.temporary("demo"), Folders::delete);
        String redis = settings.redis();
        if (redis != null) {
            String own = "holdfast-demo-" + Long.toHexString(System.nanoTime());
            RedisAddress address = Redis.address(redis);
            Redis.check(address);
            screen.say("Redis: " + address + ", keys " + own + ":*, deleted at the end");
            return new Place(redis, own, folder);
        }
        EmbeddedRedis server = cleanup.make(EmbeddedRedis::start, EmbeddedRedis::close);
        screen.say("Redis: " + server.version() + " at " + server.uri() + ", for this run only");
        screen.say("Look for yourself: ./holdfast inspect order:1 --redis " + server.uri());
        return new Place(server.uri(), "holdfast", folder);
    }

    private void awaitWorkers(Stage stage) {
        screen.say(settings.workers() + " workers contend for " + Format.count(settings.locks(), "lock") + ", TTL "
                + Format.count(TTL.toMillis()) + " ms, for " + settings.seconds() + " s; seed " + settings.seed());
        long deadline = System.nanoTime() + PATIENCE;
        int ready = 0;
        while (ready < settings.workers()) {
            if (System.nanoTime() - deadline > 0) {
                throw new CommandFailure("the workers did not start within 30 s", null);
            }
            for (Event event : stage.news()) {
                board.accept(event);
                ready += event.kind() == Kind.READY ? 1 : 0;
            }
            LockSupport.parkNanos(TICK);
        }
    }

    /** Whom it will happen to, on which lock: two different workers, and two different locks if there are. */
    private void plan(Stage stage) {
        Random random = new Random(settings.seed());
        int victim = random.nextInt(settings.workers());
        int sleeper = (victim + 1 + random.nextInt(settings.workers() - 1)) % settings.workers();
        List<String> orders = new ArrayList<>(orders(settings.locks()));
        String first = orders.remove(random.nextInt(orders.size()));
        String second = orders.isEmpty() ? first : orders.get(random.nextInt(orders.size()));
        incidents.add(new KillIncident(stage, screen, stage.worker(victim), first));
        incidents.add(new PauseIncident(stage, screen, stage.worker(sleeper), second));
    }

    private void watch(Stage stage, Holdfast holdfast) {
        long startedAt = System.nanoTime();
        long length = TimeUnit.SECONDS.toNanos(settings.seconds());
        long[] begins = {length / 7, length / 2}; // of the kill, and of the pause
        long shownAt = startedAt;
        LiveTable table = new LiveTable(board, stage::nameOfLiving, stage::describe);
        for (long past = 0; past < length || !incidents.isEmpty(); past = System.nanoTime() - startedAt) {
            if (past > length + PATIENCE) {
                return; // the verdict will say what is missing
            }
            for (Event event : stage.news()) {
                board.accept(event);
                incidents.forEach(incident -> incident.accept(event));
            }
            Incident next = incidents.peek();
            if (next != null && past >= begins[2 - incidents.size()]) {
                next.step(startedAt + past);
                if (next.isOver()) {
                    incidents.remove();
                }
            }
            if (startedAt + past - shownAt > (screen.isLive() ? REDRAW : NEXT_LINE)) {
                shownAt = startedAt + past;
                board.settle(shownAt);
                show(table, holdfast, TimeUnit.NANOSECONDS.toSeconds(past));
            }
            LockSupport.parkNanos(TICK);
        }
    }

    private void show(LiveTable table, Holdfast holdfast, long second) {
        if (!screen.isLive()) {
            screen.say(second + " s: " + Format.count(board.sections()) + " critical sections, hand-over p50 "
                    + HandOvers.millis(board.allHandOvers(), 50) + " ms, p99 "
                    + HandOvers.millis(board.allHandOvers(), 99) + " ms");
            return;
        }
        try {
            List<LockInfo> locks =
                    orders(settings.locks()).stream().map(holdfast::inspect).toList();
            screen.show(table.lines(locks));
        } catch (LockException e) {
            screen.say("Redis did not answer: " + e.getMessage());
        }
    }
}
