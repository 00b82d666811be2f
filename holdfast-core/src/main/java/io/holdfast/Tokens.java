// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Makes the token of each acquisition: 128 random bits, the instance, the longest TTL the lease may set, and a note a
 * person reading {@code GET} understands. Printable ASCII; see {@link LockValue}.
 */
final class Tokens {
    private final SecureRandom random = new SecureRandom();
    private final String instance;
    private final @Nullable String note;

    /** @param note null for {@link #processNote()} */
    Tokens(@Nullable String note) {
        this.instance = Base64.getUrlEncoder().encodeToString(randomBytes(9)); // 12 characters, no padding
        this.note = note == null ? null : printable(note);
    }

    /** {@code host/pid} of this process. Looked up once, when first needed: it may take a while. */
    static String processNote() {
        return ThisProcess.NOTE;
    }

    private static final class ThisProcess {
        private static final Path KERNELS_NAME = Path.of("/proc/sys/kernel/hostname");

        static final String NOTE =
                printable(host() + "/" + ProcessHandle.current().pid());

        /** From the kernel where it tells, as Linux does: the JDK looks for the host's address too, which may take seconds. */
        private static String host() {
            try {
                String known = Files.readString(KERNELS_NAME).strip();
                if (!known.isEmpty()) {
                    return known;
                }
            } catch (IOException | SecurityException e) {
                // another system, or forbidden
            }
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "unknown-host";
            }
        }
    }

    String instance() {
        return instance;
    }

    /** What makes the next token another than all before. */
    byte[] nextId() {
        return randomBytes(TokenId.BYTES);
    }

    /** The token with that random part. */
    String text(TokenId id, long maxTtlMillis) {
        return id.text() + instance + '.' + maxTtlMillis + '~' + (note == null ? processNote() : note);
    }

    String next(long maxTtlMillis) {
        return text(new TokenId(nextId()), maxTtlMillis);
    }

    /** Enough to tell two tokens apart in a log, too little to use one. */
    static String hint(String token) {
        return token.substring(0, Math.min(6, token.length())) + "…";
    }

    private byte[] randomBytes(int count) {
        byte[] raw = new byte[count];
        random.nextBytes(raw);
        return raw;
    }

    private static String printable(String text) {
        String clean = text.replaceAll("[^\\x21-\\x7e]|[#~]", "_");
        return clean.substring(0, Math.min(80, clean.length()));
    }
}
