// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** The temporary folder one server runs in, readable by this user only; holds the server's output. */
record WorkFolder(Path path) {
    static final String LOG = "server.log";
    private static final int TAIL_CHARACTERS = 2_000;

    static WorkFolder create() {
        try {
            return new WorkFolder(Files.createTempDirectory("holdfast-redis-").toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a folder for the server", e);
        }
    }

    Path write(String name, String content) {
        try {
            return Files.writeString(path.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + name + " in " + path, e);
        }
    }

    /** The end of what the server printed since it was last started. */
    String logTail() {
        try {
            String log = new String(Files.readAllBytes(path.resolve(LOG)), StandardCharsets.UTF_8).strip();
            return log.substring(Math.max(0, log.length() - TAIL_CHARACTERS));
        } catch (IOException e) {
            return "";
        }
    }

    /** Never fails: the supervisor may be deleting the same files, and a leftover in a temporary folder is no harm. */
    void delete() {
        try {
            Files.walkFileTree(path, new Deletion());
        } catch (IOException e) {
            path.toFile().deleteOnExit();
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException gone) throws IOException {
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
