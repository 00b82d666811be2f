// SPDX-License-Identifier: Apache-2.0
package io.holdfast.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tlc2.TLC;

/** Runs TLC, the model checker, in a JVM of its own: it keeps what it knows in static fields, and may end the JVM. */
final class Tlc {
    private static final String NOTHING = "Broken = \"nothing\"";
    private static final Pattern STATES = Pattern.compile("(?m)^\\d+ states generated, (\\d+) distinct states found");
    private static final Pattern INVARIANT = Pattern.compile("Error: Invariant (\\w+) is violated");
    private static final Pattern ACTION = Pattern.compile("Error: Action property .*is violated");
    private static final Pattern PROPERTY = Pattern.compile("(?m)^PROPERTY (\\w+)\\R");
    private static final Pattern INVARIANTS = Pattern.compile("(?m)^INVARIANTS\\R(?:  \\w+(?:\\R|\\z))+");

    private final Path folder;

    /** @param folder for the specification, its configuration and what TLC writes */
    Tlc(Path folder) {
        this.folder = folder;
    }

    /** Checks the true protocol. */
    Verdict check(Model model) throws IOException, InterruptedException {
        return run(model, text(model.configuration() + ".cfg"));
    }

    /**
     * Checks the protocol without one of its rules, and only whether it has the property expected to need that: without a rule
     * several may be violated, of which TLC stops at the first it comes across, and does not name one that is temporal.
     */
    Verdict check(Model model, String broken, String property) throws IOException, InterruptedException {
        String configuration = text(model.configuration() + ".cfg");
        assertThat(configuration).contains(NOTHING);
        String temporal =
                PROPERTY.matcher(configuration).replaceAll(line -> line.group(1).equals(property) ? "$0" : "");
        String one = INVARIANTS
                .matcher(temporal)
                .replaceAll(all -> all.group().contains("  " + property + "\n") ? "INVARIANT " + property + "\n" : "");
        return run(model, one.replace(NOTHING, "Broken = \"" + broken + "\""));
    }

    private Verdict run(Model model, String configuration) throws IOException, InterruptedException {
        Files.writeString(folder.resolve(model.specification() + ".tla"), text(model.specification() + ".tla"));
        Files.writeString(folder.resolve("checked.cfg"), configuration);
        Path output = folder.resolve("output");
        Process jvm = new ProcessBuilder(commandLine(model))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(jvm.waitFor(10, TimeUnit.MINUTES))
                    .as("TLC came to an end")
                    .isTrue();
        } finally {
            jvm.destroyForcibly();
        }
        return verdict(configuration, Files.readString(output));
    }

    private List<String> commandLine(Model model) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // most runs are over before better code pays
                "-Xmx512m",
                // TLC unpacks its standard modules there and deletes them when it ends: two would take each other's
                // away
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                jar().toString(),
                TLC.class.getName(),
                "-deadlock", // not to be looked for: a protocol may come to rest
                "-lncheck", // liveness at the end only: looked at on the way it takes most of the time
                "final",
                "-workers",
                "1",
                "-metadir",
                folder.resolve("states").toString(),
                "-config",
                "checked.cfg",
                model.specification());
    }

    private static Path jar() {
        try {
            return Path.of(TLC.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Verdict verdict(String configuration, String output) {
        Matcher states = STATES.matcher(output);
        Matcher invariant = INVARIANT.matcher(output);
        Matcher property = PROPERTY.matcher(configuration);
        boolean temporal = ACTION.matcher(output).find() || output.contains("Error: Temporal properties were violated");
        String violated = invariant.find() ? invariant.group(1) : temporal && property.find() ? property.group(1) : "";
        return new Verdict(
                output.contains("Model checking completed. No error has been found."),
                violated,
                states.find() ? Long.parseLong(states.group(1)) : 0,
                output);
    }

    /** A file beside this class. */
    static String text(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(Tlc.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A specification and one of its configurations. */
    record Model(String specification, String configuration) {}

    /**
     * What TLC said.
     *
     * @param sound whether it looked at everything and found no error
     * @param violated the property it refuted, or nothing
     * @param states how many different states it has seen
     */
    record Verdict(boolean sound, String violated, long states, String output) {}
}
