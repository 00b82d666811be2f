// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.faults.ClockShim;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server whose wall clock a test may step; the first of those at hand whose clock really follows. */
public final class SteppableServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SteppableServer.class);
    private static final Duration TRIAL = Duration.ofHours(1);

    private final ClockShim clock;
    private final EmbeddedRedis server;

    private SteppableServer(ClockShim clock, EmbeddedRedis server) {
        this.clock = clock;
        this.server = server;
    }

    /** Starts one, or skips the test and says why. */
    public static SteppableServer start() {
        ClockShim clock = clock();
        for (TestServer version : TestServers.all()) {
            Optional<Path> executable = version.executable();
            if (executable.isPresent()) {
                EmbeddedRedis server =
                        version.builder().server(clock.around(executable.get())).start();
                if (follows(server, clock)) {
                    return new SteppableServer(clock, server);
                }
                server.close();
            }
        }
        clock.close();
        throw skipped("no server at hand is linked dynamically: " + TestServers.all());
    }

    /** A clock for a process that is no server; where there can be none, the test is skipped and says why. */
    public static ClockShim clock() {
        return ClockShim.build().orElseThrow(() -> skipped(ClockShim.obstacle().orElse("no clock could be built")));
    }

    /** Sets its clock so far ahead of the machine's, or behind it when negative. */
    public void setClock(Duration ahead) {
        clock.set(ahead);
    }

    /** The server. */
    public EmbeddedRedis server() {
        return server;
    }

    @Override
    public void close() {
        server.close();
        clock.close();
    }

    private static boolean follows(EmbeddedRedis server, ClockShim clock) {
        try (RawRedis raw = new RawRedis(server.host(), server.port())) {
            long before = seconds(raw);
            clock.set(TRIAL);
            long after = seconds(raw);
            clock.set(Duration.ZERO);
            return after - before >= TRIAL.toSeconds() - 1;
        }
    }

    private static long seconds(RawRedis raw) {
        List<?> time = (List<?>) Objects.requireNonNull(raw.call("TIME"));
        return Long.parseLong(String.valueOf(time.get(0)));
    }

    private static RuntimeException skipped(String reason) {
        log.warn("SKIPPED, so the faults of a clock are not proven here: {}", reason);
        return Assumptions.abort("no clock to step: " + reason);
    }
}
