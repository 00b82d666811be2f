// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/**
 * Unpacks the server shipped in the embedded-redis jar into a folder that later runs reuse.
 *
 * <p>The folder lies in the shared temporary directory under a name anybody can guess, so nothing found there is
 * trusted: the folder must belong to this user and be closed to others, and the file must have the checksum its name
 * says. JVMs that unpack at the same time each write a file of their own and rename it; the last one wins and nobody
 * ever sees half a file.
 */
final class BundledServer {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(OWNER_ONLY);

    private BundledServer() {}

    static Path unpack(Platform platform, Path temporary) {
        String resource = platform.resource().orElseThrow(() -> unavailable(platform, "no server is shipped for it"));
        byte[] content = read(platform, resource);
        String checksum = checksum(content);
        try {
            Path server = folder(temporary).resolve(resource + "-" + checksum.substring(0, 16));
            if (!Files.isExecutable(server)
                    || !checksum(Files.readAllBytes(server)).equals(checksum)) {
                write(content, server);
            }
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack " + resource + " below " + temporary, e);
        }
    }

    private static byte[] read(Platform platform, String resource) {
        try (InputStream in = BundledServer.class.getResourceAsStream("/" + resource)) {
            if (in == null) {
                throw unavailable(platform, "the class path lacks " + resource + " (org.signal:embedded-redis)");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + resource, e);
        }
    }

    /** This user's folder, or a fresh one for this run only if somebody else sits on that name. */
    private static Path folder(Path temporary) throws IOException {
        Path fresh = Files.createTempDirectory(temporary, "holdfast-server-", PRIVATE);
        Path shared = temporary.resolve("holdfast-server-of-" + Files.getAttribute(fresh, "unix:uid"));
        try {
            Files.move(fresh, shared);
            return shared;
        } catch (IOException e) {
            if (!isPrivate(shared, fresh)) {
                return fresh;
            }
            Files.delete(fresh);
            return shared;
        }
    }

    private static boolean isPrivate(Path folder, Path ours) throws IOException {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(ours))
                && Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS)
                        .equals(OWNER_ONLY);
    }

    private static void write(byte[] content, Path server) throws IOException {
        Path copy = Files.createTempFile(server.getParent(), "unpacking-", "", PRIVATE);
        try {
            Files.write(copy, content);
            Files.move(copy, server, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    private static String checksum(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static IllegalStateException unavailable(Platform platform, String reason) {
        return new IllegalStateException("No embedded Redis for " + platform + ": " + reason
                + ". Name an installed Redis or Valkey server with EmbeddedRedis.builder().server(path) or the"
                + " environment variable " + ServerLocator.VARIABLE + ".");
    }
}
