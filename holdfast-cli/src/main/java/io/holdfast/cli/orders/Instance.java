// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.orders;

import io.holdfast.cli.CommandFailure;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The order service in a JVM of its own. */
final class Instance implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(120);
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(100);

    private final String name;
    private final Process process;
    private final Path log;

    private Instance(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /**
     * What instances share.
     *
     * @param folder for the database and their logs
     */
    record Place(String classPath, int redisPort, Path folder) {}

    static Instance start(String name, Place place) {
        Path log = place.folder().resolve(name + ".log");
        List<String> line = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                place.classPath(),
                "io.holdfast.examples.orders.OrderServiceApplication",
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--spring.data.redis.port=" + place.redisPort(),
                "--orders.database=" + place.folder().resolve("orders"),
                "--orders.payment-time=200ms");
        try {
            Process process = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return new Instance(name, process, log);
        } catch (IOException e) {
            throw new CommandFailure("cannot start instance " + name + ": " + e.getMessage(), e);
        }
    }

    String name() {
        return name;
    }

    /** Waits for the instance to listen. */
    URI awaitAddress() {
        long startedAt = System.nanoTime();
        while (System.nanoTime() - startedAt < PATIENCE) {
            Matcher port = PORT.matcher(text());
            if (port.find()) {
                return URI.create("http://localhost:" + port.group(1));
            }
            if (!process.isAlive()) {
                throw new CommandFailure("instance " + name + " did not start:\n" + text(), null);
            }
            LockSupport.parkNanos(TICK);
        }
        throw new CommandFailure("instance " + name + " did not listen within 2 minutes:\n" + text(), null);
    }

    void awaitEnd() {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String text() {
        try {
            return Files.exists(log) ? Files.readString(log, StandardCharsets.UTF_8) : "";
        } catch (IOException e) {
            throw new CommandFailure("cannot read " + log + ": " + e.getMessage(), e);
        }
    }

    /** SIGTERM, so that it gives its locks back; SIGKILL when that takes long. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
