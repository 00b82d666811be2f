// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.faults.Delay;
import io.holdfast.testkit.faults.FaultyProxy;
import io.holdfast.testkit.faults.ProxyRule;
import io.holdfast.testkit.faults.ServerFaults;
import io.holdfast.testkit.faults.Way;
import io.holdfast.testkit.history.Event;
import io.holdfast.testkit.history.Event.Kind;
import io.holdfast.testkit.history.Fault;
import io.holdfast.testkit.history.History;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;

/** Carries out what the schedule says, and records what it does: begins before it is done, ends after. Not thread-safe. */
final class Ordeals {
    private static final Duration SLOWEST = Duration.ofMillis(120); // each way
    private static final int LOST_REPLIES_ONE_IN = 8;
    private static final int LATE_COMMANDS_ONE_IN = 20;
    private static final int LATE_COMMANDS = 3;
    private static final int LOST_WRITES = 40;

    private final EmbeddedRedis server;
    private final FaultyProxy network;
    private final ServerFaults onServer;
    private final Crew crew;
    private final History injected;
    private final Map<Ordeal, Integer> counts = new EnumMap<>(Ordeal.class);

    Ordeals(EmbeddedRedis server, FaultyProxy network, Crew crew, History injected) {
        this.server = server;
        this.network = network;
        this.onServer = ServerFaults.of(server);
        this.crew = crew;
        this.injected = injected;
    }

    /** How often each of them was begun. */
    Map<Ordeal, Integer> counts() {
        return counts;
    }

    /** Begins one; what is returned ends it. */
    Runnable begin(Schedule.Step step) {
        counts.merge(step.ordeal(), 1, Integer::sum);
        Fault fault = step.ordeal().fault();
        if (fault == null) {
            return inflict(step);
        }
        injected.record(Event.of(Kind.FAULT_BEGINS, fault));
        Runnable end = inflict(step);
        return () -> {
            end.run();
            injected.record(Event.of(Kind.FAULT_ENDS, fault));
        };
    }

    private Runnable inflict(Schedule.Step step) {
        return switch (step.ordeal()) {
            case KILL_WORKER -> done(() -> crew.kill(step.choice()));
            case PAUSE_WORKER -> crew.pause(step.choice());
            case SLOW_NETWORK, HALF_OPEN, RESET, CUT, SWALLOW_REPLIES, LATE_COMMANDS -> onNetwork(step);
            case DELETE_LOCKS -> done(() -> remove(this::deleteLocks));
            case FLUSH_DATA -> done(() -> remove(onServer::flush));
            case RESTART_EMPTY -> done(() -> remove(onServer::restartEmpty));
            case LOSE_TAIL -> done(this::loseTail);
            default -> onServer(step);
        };
    }

    private Runnable onNetwork(Schedule.Step step) {
        Random random = new Random(step.choice());
        switch (step.ordeal()) {
            case SLOW_NETWORK -> {
                Delay delay = new Delay(Duration.ofMillis(5), SLOWEST, random);
                network.delay(Way.REQUESTS, delay);
                network.delay(Way.REPLIES, delay);
                return () -> {
                    network.delay(Way.REQUESTS, Delay.NONE);
                    network.delay(Way.REPLIES, Delay.NONE);
                };
            }
            case HALF_OPEN -> {
                network.drop(random.nextBoolean() ? Way.REQUESTS : Way.REPLIES);
                return network::heal;
            }
            case CUT -> {
                network.cut();
                return network::heal;
            }
            case SWALLOW_REPLIES -> {
                ProxyRule rule =
                        network.when(script(random, LOST_REPLIES_ONE_IN)).loseReply();
                return rule::end;
            }
            case LATE_COMMANDS -> {
                ProxyRule rule = network.when(script(random, LATE_COMMANDS_ONE_IN))
                        .times(LATE_COMMANDS)
                        .holdBack();
                return () -> {
                    rule.end();
                    network.letGo();
                };
            }
            default -> {
                network.reset();
                return Ordeals::nothing;
            }
        }
    }

    private Runnable onServer(Schedule.Step step) {
        switch (step.ordeal()) {
            case PAUSE_SERVER -> {
                server.pause();
                return server::resume;
            }
            case RESTART -> {
                server.kill();
                return server::restart;
            }
            case PAUSE_WRITES -> onServer.pauseWrites(Duration.ofNanos(step.lastsNanos()));
            case KILL_CONNECTIONS -> onServer.killConnections();
            case KILL_SUBSCRIPTIONS -> onServer.killSubscriptions();
            case FLUSH_SCRIPTS -> onServer.forgetScripts();
            case FULL_MEMORY -> onServer.fillMemory("noeviction");
            case READ_ONLY -> onServer.becomeReplica();
            case BUSY -> onServer.runEndlessScript();
            case MAX_CLIENTS -> {
                onServer.set("maxclients", "1");
                onServer.killConnections();
            }
            default -> throw new IllegalArgumentException(step.ordeal().label());
        }
        return onServer::mend;
    }

    /** Requests that take, renew or give back a lock, one in so many. */
    private static Predicate<List<String>> script(Random random, int oneIn) {
        return words -> {
            boolean concerned = words.get(0).startsWith("EVAL") || words.get(0).startsWith("DEL");
            synchronized (random) {
                return concerned && random.nextInt(oneIn) == 0;
            }
        };
    }

    private void deleteLocks() {
        for (int lock = 0; lock < Torture.LOCKS; lock++) {
            onServer.delete(key(lock));
        }
    }

    /** A lock that was taken before the last writes comes back with the server; only one that did not was removed. */
    private void loseTail() {
        Event begun = Event.of(Kind.REMOVED, 0);
        onServer.restartWithoutLastCommands(LOST_WRITES);
        for (int lock = 0; lock < Torture.LOCKS; lock++) {
            if (!onServer.has(key(lock))) {
                injected.record(begun.withLock(Torture.lock(lock)).withValue(System.nanoTime()));
            }
        }
    }

    private static String key(int lock) {
        return Torture.PREFIX + ":lock:" + Torture.lock(lock);
    }

    private void remove(Runnable removal) {
        Event begun = Event.of(Kind.REMOVED, 0);
        removal.run();
        injected.record(begun.withValue(System.nanoTime()));
    }

    private static Runnable done(Runnable what) {
        what.run();
        return Ordeals::nothing;
    }

    /** What is over at once needs no end. */
    private static void nothing() {}
}
