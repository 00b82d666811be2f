// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The server versions at hand: the embedded Redis 7.0 always; Redis 6.2 when {@code com.github.codemonstur:embedded-redis} is
 * on the class path; and every executable named in the environment variable {@value #VARIABLE}, separated by colons.
 */
public final class TestServers {
    /** Names further server executables. */
    public static final String VARIABLE = "HOLDFAST_TEST_SERVERS";

    private static final Map<String, String> REDIS_6 = Map.of(
            "linux-amd64", "/redis-server-6.2.6-v5-linux-amd64",
            "linux-aarch64", "/redis-server-6.2.7-linux-arm64",
            "mac-x86_64", "/redis-server-6.2.6-v5-darwin-amd64",
            "mac-aarch64", "/redis-server-6.2.6-v5-darwin-arm64");

    private static final List<TestServer> ALL = find();

    private TestServers() {}

    /** All of them, in a fixed order; started when first used. */
    public static List<TestServer> all() {
        return ALL;
    }

    /** The embedded one, for tests that do not depend on the version. */
    public static TestServer embedded() {
        return ALL.get(0);
    }

    /** The embedded one, or all of them where faults are tested at length. */
    static List<TestServer> forFaults() {
        return faultsAtLength() ? ALL : List.of(embedded());
    }

    /** The embedded one, or all of them where the environment names some: whoever does that has the time. */
    static List<TestServer> forSlow() {
        return named().isBlank() ? List.of(embedded()) : ALL;
    }

    private static String named() {
        return System.getenv().getOrDefault(VARIABLE, "");
    }

    /** Whether this run may take its time, as the Maven profile {@code faults} says. */
    static boolean faultsAtLength() {
        return "long".equals(System.getProperty("holdfast.faults"));
    }

    private static List<TestServer> find() {
        List<TestServer> found = new ArrayList<>();
        found.add(new TestServer("redis-7.0", null));
        Path redis6 = unpackRedis6();
        if (redis6 != null) {
            found.add(new TestServer("redis-6.2", redis6));
        }
        for (String path : named().split(File.pathSeparator, -1)) {
            if (!path.isBlank()) {
                found.add(new TestServer(nameOf(Path.of(path)), Path.of(path)));
            }
        }
        return List.copyOf(found);
    }

    private static String nameOf(Path executable) {
        return String.valueOf(executable.getFileName()).replaceFirst("-server$", "");
    }

    private static @Nullable Path unpackRedis6() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String platform = (os.startsWith("mac") ? "mac" : os) + "-" + System.getProperty("os.arch", "");
        String resource = REDIS_6.get(platform);
        if (resource == null) {
            return null;
        }
        try (InputStream in = TestServers.class.getResourceAsStream(resource)) {
            if (in == null) {
                return null;
            }
            Path folder = Files.createTempDirectory("holdfast-redis6-");
            Path executable = folder.resolve("redis-server");
            Files.copy(in, executable, StandardCopyOption.REPLACE_EXISTING);
            executable.toFile().setExecutable(true);
            folder.toFile().deleteOnExit(); // first: they go in reverse order
            executable.toFile().deleteOnExit();
            return executable;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
