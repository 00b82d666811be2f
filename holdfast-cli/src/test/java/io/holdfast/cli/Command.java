// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command in a JVM of its own, as a user runs it. */
public record Command(int exitCode, String out, String err) {

    public static Command run(Path temporary, String... arguments) throws IOException, InterruptedException {
        return run(temporary, Map.of(), arguments);
    }

    static Command run(Path temporary, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        return run(temporary, environment, Duration.ofSeconds(60), arguments);
    }

    /** For one that takes longer. */
    public static Command run(Path temporary, Map<String, String> environment, Duration limit, String... arguments)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(temporary, "out", ".txt");
        Path err = Files.createTempFile(temporary, "err", ".txt");
        Process process = start(temporary, environment, out, err, arguments);
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("still running: " + Files.readString(out) + Files.readString(err));
            }
            return new Command(
                    process.exitValue(), Files.readString(out), Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
            Files.delete(out);
            Files.delete(err);
        }
    }

    static Process start(Path temporary, Map<String, String> environment, Path out, Path err, String... arguments)
            throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(line).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().remove(Redis.PASSWORD_VARIABLE);
        builder.environment().putAll(environment);
        return builder.start();
    }
}
