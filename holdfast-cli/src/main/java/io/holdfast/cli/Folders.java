// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where the histories of a run are. */
public final class Folders {
    private Folders() {}

    /** A new one, of this run alone. */
    public static Path temporary(String command) {
        try {
            return Files.createTempDirectory("holdfast-" + command + "-");
        } catch (IOException e) {
            throw new CommandFailure("cannot make a temporary folder: " + e.getMessage(), e);
        }
    }

    /** A folder the user named; it must be empty, for old histories would count in the verdict. */
    public static Path empty(Path folder) {
        try {
            Files.createDirectories(folder);
            try (Stream<Path> content = Files.list(folder)) {
                if (content.findAny().isPresent()) {
                    throw new CommandFailure("--history: " + folder + " is not empty", null);
                }
            }
            return folder.toAbsolutePath();
        } catch (IOException e) {
            throw new CommandFailure("--history: cannot use the folder " + folder + ": " + e.getMessage(), e);
        }
    }

    /** Deletes a folder of plain files. Several processes may do so at once, so what is gone is no error. */
    public static void delete(@Nullable Path folder) {
        if (folder == null || !Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> content = Files.list(folder)) {
            for (Path file : content.toList()) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(folder);
        } catch (IOException | UncheckedIOException e) {
            return;
        }
    }
}
