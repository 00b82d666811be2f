// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.embedded.EmbeddedRedisBuilder;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One server version to test on. The shared instance of a version starts when first asked for and ends with the JVM; tests
 * that break a server start their own.
 */
public final class TestServer {
    private final String name;
    private final @Nullable Path executable;
    private @Nullable EmbeddedRedis shared;

    TestServer(String name, @Nullable Path executable) {
        this.name = name;
        this.executable = executable;
    }

    /** The running instance all gentle tests share. */
    public synchronized EmbeddedRedis shared() {
        if (shared == null) {
            shared = builder().start();
        }
        return shared;
    }

    /** Options for an instance of the caller's own, of the same version. */
    public EmbeddedRedisBuilder builder() {
        EmbeddedRedisBuilder builder = EmbeddedRedis.builder();
        return executable == null ? builder : builder.server(executable);
    }

    /** The executable, unless it is the embedded one. */
    public Optional<Path> executable() {
        return Optional.ofNullable(executable);
    }

    @Override
    public String toString() {
        return name;
    }
}
