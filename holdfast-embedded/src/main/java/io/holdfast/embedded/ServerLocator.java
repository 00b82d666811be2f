// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides which executable to run: builder, then system property, then environment, then the shipped one. */
final class ServerLocator {
    static final String PROPERTY = "holdfast.redis.server";
    static final String VARIABLE = "HOLDFAST_REDIS_SERVER";

    private static final ReentrantLock UNPACKING = new ReentrantLock();
    private static @Nullable Path unpacked;

    private ServerLocator() {}

    static Path locate(@Nullable Path fromBuilder) {
        return locate(fromBuilder, System.getProperty(PROPERTY), System.getenv(VARIABLE), ServerLocator::bundled);
    }

    static Path locate(
            @Nullable Path fromBuilder, @Nullable String property, @Nullable String variable, Supplier<Path> bundled) {
        if (fromBuilder != null) {
            return checked(fromBuilder, "builder().server(path)");
        }
        if (property != null && !property.isBlank()) {
            return checked(Path.of(property), "system property " + PROPERTY);
        }
        if (variable != null && !variable.isBlank()) {
            return checked(Path.of(variable), "environment variable " + VARIABLE);
        }
        return bundled.get();
    }

    private static Path checked(Path server, String source) {
        Path absolute = server.toAbsolutePath();
        Optional<String> fault = Optional.empty();
        if (!Files.exists(absolute)) {
            fault = Optional.of("does not exist");
        } else if (!Files.isRegularFile(absolute)) {
            fault = Optional.of("is not a file");
        } else if (!Files.isExecutable(absolute)) {
            fault = Optional.of("is not executable");
        }
        fault.ifPresent(what -> {
            throw new IllegalStateException("The server named by " + source + " " + what + ": " + absolute);
        });
        return absolute;
    }

    /**
     * Unpacks once per JVM. This spares later starts the checksum, and no copy is open for writing while this class's
     * own children are forked: they would inherit it, and running it would fail with "text file busy".
     */
    static Path bundled() {
        UNPACKING.lock();
        try {
            if (unpacked == null || !Files.isExecutable(unpacked)) {
                unpacked = BundledServer.unpack(Platform.current(), Path.of(System.getProperty("java.io.tmpdir")));
            }
            return unpacked;
        } finally {
            UNPACKING.unlock();
        }
    }
}
