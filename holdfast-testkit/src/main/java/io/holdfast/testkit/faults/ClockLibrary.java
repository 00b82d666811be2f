// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The library behind {@link ClockShim}, compiled once; or why there is none. */
record ClockLibrary(Optional<Path> library, Optional<String> obstacle) {
    private static final List<String> COMPILERS = List.of("cc", "gcc", "clang");
    private static @Nullable ClockLibrary known;

    static synchronized ClockLibrary get() {
        ClockLibrary found = known;
        if (found == null) {
            found = compile(System.getProperty("os.name", ""), System.getenv().getOrDefault("PATH", ""));
            known = found;
        }
        return found;
    }

    static ClockLibrary compile(String system, String path) {
        if (!system.toLowerCase(Locale.ROOT).startsWith("linux")) {
            return missing("no library can be preloaded on " + system + " the way it is on Linux");
        }
        Optional<Path> compiler = COMPILERS.stream()
                .flatMap(name -> Stream.of(path.split(File.pathSeparator)).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
        if (compiler.isEmpty()) {
            return missing("no C compiler on the path: " + String.join(", ", COMPILERS));
        }
        try {
            return compileWith(compiler.get());
        } catch (IOException e) {
            return missing(compiler.get() + " could not be run: " + e.getMessage());
        }
    }

    private static ClockLibrary compileWith(Path compiler) throws IOException {
        Path folder = Files.createTempDirectory("holdfast-clock-library-");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Folders.delete(folder), "holdfast-clock-sweeper"));
        Path source = folder.resolve("clock-shim.c");
        try (InputStream in = ClockLibrary.class.getResourceAsStream("clock-shim.c")) {
            Files.copy(Objects.requireNonNull(in, "clock-shim.c"), source);
        }
        Path library = folder.resolve("clock-shim.so");
        Process process = new ProcessBuilder(
                        compiler.toString(), "-O2", "-shared", "-fPIC", "-o", library.toString(), source.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.onExit().join().exitValue();
        return status == 0
                ? new ClockLibrary(Optional.of(library), Optional.empty())
                : missing(compiler + " failed with status " + status + ": " + output.strip());
    }

    private static ClockLibrary missing(String reason) {
        return new ClockLibrary(Optional.empty(), Optional.of(reason));
    }
}
