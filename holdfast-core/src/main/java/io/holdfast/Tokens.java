// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * Makes the token of each acquisition: 128 random bits, the instance, the longest TTL the lease may set, and a note a
 * person reading {@code GET} understands. Printable ASCII; see {@link LockValue}.
 */
final class Tokens {
    private final SecureRandom random = new SecureRandom();
    private final String instance;
    private final String note;

    Tokens(String note) {
        this.instance = Base64.getUrlEncoder().encodeToString(randomBytes(9)); // 12 characters, no padding
        this.note = printable(note);
    }

    /** {@code host/pid} of this process. */
    static String processNote() {
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "unknown-host";
        }
        return host + "/" + ProcessHandle.current().pid();
    }

    String instance() {
        return instance;
    }

    TokenId nextId() {
        return TokenId.of(randomBytes(TokenId.BYTES));
    }

    /** The token with that random part. */
    String text(TokenId id, long maxTtlMillis) {
        return id.text() + instance + '.' + maxTtlMillis + '~' + note;
    }

    String next(long maxTtlMillis) {
        return text(nextId(), maxTtlMillis);
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
