// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.Holdfast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;

/** Root of the suites that look at a real server's commands, or break it. */
@NullUnmarked
public abstract class ServerContract extends LockContract {
    private static final List<String> HOUSEKEEPING =
            List.of("ECHO", "PING", "SUBSCRIBE", "CLIENT", "HELLO", "AUTH", "SELECT", "COMMAND");

    private final List<Monitor> monitors = new ArrayList<>();

    @Override
    protected abstract RedisFixture newFixture();

    @AfterEach
    void closeMonitors() {
        monitors.forEach(Monitor::close);
    }

    /** The fixture of this test. */
    protected final RedisFixture redis() {
        return (RedisFixture) fixture();
    }

    /** One more process, whose commands count as unanswered after that time. */
    protected final Holdfast impatient(Duration commandTimeout) {
        return open(
                redis().holdfast(redis().address().withTimeout(commandTimeout)).closeWait(Duration.ZERO));
    }

    /** What the server runs from now on. */
    protected final Monitor monitor() {
        Monitor monitor = new RawRedis(redis().server().host(), redis().server().port()).monitor();
        monitors.add(monitor);
        return monitor;
    }

    /** The commands clients have sent so far, without those inside scripts and those that only keep a connection. */
    protected final List<String> sent(Monitor monitor) {
        return monitor.lines().stream()
                .filter(line -> !line.contains(" lua] "))
                .filter(line -> !HOUSEKEEPING.contains(verb(line)))
                .toList();
    }

    /** The command word of a line of a {@link Monitor}. */
    protected static String verb(String line) {
        int start = line.indexOf('"') + 1;
        return line.substring(start, line.indexOf('"', start));
    }

    /** When the server ran that line's command, in ms. */
    protected static double millis(String line) {
        return Double.parseDouble(line.substring(0, line.indexOf(' '))) * 1000;
    }
}
