// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of a server's append-only file, to be cut off while the server is down: what a machine that lost its power had
 * written and not yet synced. Up to Redis 6.2 there is one file; since 7.0 a folder of several, of which a manifest names the
 * last one. What was rewritten as a snapshot is not cut.
 */
record AppendOnlyFile(Path path) {

    /** Finds it in a server's folder, where the names are those that the server has by default. */
    static AppendOnlyFile in(Path folder) {
        Path single = folder.resolve("appendonly.aof");
        Path several = folder.resolve("appendonlydir");
        Path manifest = several.resolve("appendonly.aof.manifest");
        if (!Files.exists(manifest)) {
            return new AppendOnlyFile(single);
        }
        try {
            String last = Files.readAllLines(manifest).stream()
                    .filter(line -> line.contains(" type i")) // since Redis 8 more follows
                    .reduce((earlier, later) -> later)
                    .orElseThrow(() -> new IllegalStateException("nothing was appended yet: " + manifest));
            return new AppendOnlyFile(several.resolve(last.split(" ", -1)[1]));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + manifest, e);
        }
    }

    void cutBytes(long count) {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
            file.truncate(Math.max(0, file.size() - count));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot cut " + path, e);
        }
    }

    /** What one script or transaction wrote counts as one command: a server that finds half of it drops it all. */
    void cutCommands(int count) {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
            List<Long> starts = commandStarts();
            file.truncate(count >= starts.size() ? 0 : starts.get(starts.size() - count));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot cut " + path, e);
        }
    }

    private List<Long> commandStarts() throws IOException {
        List<Long> starts = new ArrayList<>();
        try (InputStream in = Files.newInputStream(path)) {
            RespReader reader = new RespReader(in);
            long at = 0;
            boolean inside = false;
            for (Message.Request next = reader.request(); next != null; next = reader.request()) {
                String name = next.words().isEmpty() ? "#" : next.words().get(0);
                if (!inside && !name.startsWith("#")) { // a remark, such as a time stamp
                    starts.add(at);
                }
                inside = name.equalsIgnoreCase("MULTI") || (inside && !name.equalsIgnoreCase("EXEC"));
                at += next.bytes().length;
            }
        }
        return starts;
    }
}
