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
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private final SecureRandom random = new SecureRandom();
    private final String instance;
    private final String note;

    Tokens(String note) {
        this.instance = random(9);
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

    String next(long maxTtlMillis) {
        return random(16) + instance + '.' + maxTtlMillis + '~' + note;
    }

    /** Enough to tell two tokens apart in a log, too little to use one. */
    static String hint(String token) {
        return token.substring(0, Math.min(6, token.length())) + "…";
    }

    private String random(int bytes) {
        byte[] raw = new byte[bytes];
        random.nextBytes(raw);
        return BASE64.encodeToString(raw);
    }

    private static String printable(String text) {
        String clean = text.replaceAll("[^\\x21-\\x7e]|[#~]", "_");
        return clean.substring(0, Math.min(80, clean.length()));
    }
}
