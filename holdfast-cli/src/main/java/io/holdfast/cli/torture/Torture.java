// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import io.holdfast.cli.Cleanup;
import io.holdfast.cli.Folders;
import io.holdfast.cli.Format;
import io.holdfast.cli.Screen;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.embedded.EmbeddedRedisBuilder;
import io.holdfast.testkit.faults.FaultyProxy;
import io.holdfast.testkit.history.Checker;
import io.holdfast.testkit.history.Findings;
import io.holdfast.testkit.history.History;
import io.holdfast.testkit.history.Leftovers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One run: a server, a proxy before it, workers that contend through the proxy, and one ordeal after the other. Begins and ends
 * with a time without any, to compare how much gets done. Nothing that is judged is decided here: the verdict comes from
 * the records of the workers, and of who injected the faults.
 */
final class Torture {
    /** Few, so that they are contended. */
    static final int LOCKS = 5;

    static final String PREFIX = "torture";
    private static final Duration CALM = Duration.ofSeconds(3);
    /** After the last ordeal, until as much gets done as before. */
    private static final Duration RECOVERY = Wanted.LONGEST_LEASE.plusSeconds(1);

    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long START_LIMIT = TimeUnit.SECONDS.toNanos(60);

    /** What to do. */
    record Settings(
            List<Ordeal> ordeals,
            Duration length,
            long seed,
            List<String> connectors,
            int workers,
            Duration slack,
            @Nullable Path server,
            @Nullable Path history,
            boolean skipLocks) {}

    private final Settings settings;
    private final Screen screen;
    private final Cleanup cleanup;

    Torture(Settings settings, Screen screen, Cleanup cleanup) {
        this.settings = settings;
        this.screen = screen;
        this.cleanup = cleanup;
    }

    static String lock(int number) {
        return "order:" + number;
    }

    Outcome run() {
        Path wanted = settings.history();
        AtomicBoolean keep = new AtomicBoolean(wanted != null);
        Path folder = wanted != null
                ? Folders.empty(wanted)
                : cleanup.make(() -> Folders.temporary("torture"), temporary -> deleteUnless(keep, temporary));
        EmbeddedRedis server = cleanup.make(() -> server().start(), EmbeddedRedis::close);
        FaultyProxy network = cleanup.make(() -> FaultyProxy.before(server.host(), server.port()), FaultyProxy::close);
        History injected =
                cleanup.make(() -> History.create(folder.resolve("injected" + History.SUFFIX)), History::close);
        Crew crew = new Crew(settings, new Crew.Place(network.uri(), folder), cleanup, injected);
        Progress progress = new Progress(screen, crew);
        screen.say("Server: " + server.version() + "; " + Format.count(settings.workers(), "worker") + " on "
                + String.join(" and ", settings.connectors()) + "; seed " + settings.seed());
        crew.start();
        progress.awaitReady(settings.workers(), START_LIMIT);
        Ordeals ordeals = new Ordeals(server, network, crew, injected);
        double before = rate(progress, CALM);
        strike(ordeals, progress);
        pass(RECOVERY, progress);
        double after = rate(progress, CALM);
        Leftovers left = Remains.after(crew, server);
        Findings findings = Checker.check(folder, strictness()).with(left);
        keep.compareAndSet(false, !findings.holds());
        return new Outcome(
                settings.seed(),
                findings,
                ordeals.counts(),
                new Outcome.Rates(before, after),
                keep.get() ? folder : null);
    }

    private io.holdfast.testkit.history.Settings strictness() {
        return io.holdfast.testkit.history.Settings.standard().withSlack(settings.slack());
    }

    private static void deleteUnless(AtomicBoolean kept, Path folder) {
        if (!kept.get()) {
            Folders.delete(folder);
        }
    }

    private EmbeddedRedisBuilder server() {
        EmbeddedRedisBuilder builder = EmbeddedRedis.builder()
                .setting("appendonly", "yes")
                .setting("appendfsync", "everysec")
                .setting("lua-time-limit", "100"); // how soon others hear that it is busy
        return settings.server() == null ? builder : builder.server(settings.server());
    }

    private void strike(Ordeals ordeals, Progress progress) {
        Schedule schedule = new Schedule(settings.ordeals(), settings.seed());
        long endsAt = System.nanoTime() + settings.length().toNanos();
        while (System.nanoTime() - endsAt < 0) {
            Schedule.Step step = schedule.next();
            pass(Duration.ofNanos(step.calmNanos()), progress);
            progress.now(step.ordeal());
            Runnable end = ordeals.begin(step);
            pass(Duration.ofNanos(step.lastsNanos()), progress);
            end.run();
            progress.now(null);
        }
    }

    /** Grants a second in a time without ordeals. */
    private static double rate(Progress progress, Duration length) {
        long grants = progress.grants();
        long startedAt = System.nanoTime();
        pass(length, progress);
        return (progress.grants() - grants) * 1e9 / (System.nanoTime() - startedAt);
    }

    private static void pass(Duration length, Progress progress) {
        long startedAt = System.nanoTime();
        for (long past = 0; past < length.toNanos(); past = System.nanoTime() - startedAt) {
            LockSupport.parkNanos(Math.min(TICK, length.toNanos() - past));
            progress.update();
        }
    }
}
