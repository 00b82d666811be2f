// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.embedded.EmbeddedRedisBuilder;
import io.holdfast.spi.RedisAddress;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/** What {@code holdfast doctor} printed, and how it ended. */
record DoctorRun(int exitCode, String out, String err) {
    /** Names further server executables, as for the contract suites. */
    private static final String SERVERS = "HOLDFAST_TEST_SERVERS";
    /** A machine busy with other builds is no reason for a check to fail. */
    static final String PATIENCE = "?timeout=20s";

    static DoctorRun of(EmbeddedRedis redis, String... more) {
        return as(redis.uri() + PATIENCE, more);
    }

    static DoctorRun as(String uri, String... more) {
        return run(Stream.concat(Stream.of("doctor", "--redis", uri), Stream.of(more))
                .toArray(String[]::new));
    }

    static DoctorRun run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new DoctorRun(exitCode, out.toString(), err.toString());
    }

    /** The line of a check. */
    String line(String check) {
        return out.lines()
                .filter(line -> line.matches("\\w+ +\\Q" + check + "\\E .*"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no line on " + check + " in: " + out + err));
    }

    /** The first word of that line. */
    String level(String check) {
        return line(check).replaceFirst(" .*", "");
    }

    static Patient admin(EmbeddedRedis redis) {
        return new Patient(RedisAddress.parse(redis.uri()), "holdfast");
    }

    /** The embedded server, and those of the environment. */
    static Stream<Named<EmbeddedRedisBuilder>> servers() {
        Stream<Named<EmbeddedRedisBuilder>> named = Stream.of(
                        System.getenv().getOrDefault(SERVERS, "").split(File.pathSeparator, -1))
                .filter(path -> !path.isBlank())
                .map(path -> Named.of(path, EmbeddedRedis.builder().server(Path.of(path))));
        return Stream.concat(Stream.of(Named.of("embedded", EmbeddedRedis.builder())), named);
    }

    /** The lines of an ACL in the documentation, the application's and the observer's. */
    static List<String> documentedAcls() throws IOException {
        return Files.readString(docs().resolve("troubleshooting.md"))
                .lines()
                .filter(line -> line.startsWith("ACL SETUSER "))
                .toList();
    }

    static Path docs() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/troubleshooting.md"))) {
            folder = folder.getParent();
        }
        return folder.resolve("docs");
    }
}
