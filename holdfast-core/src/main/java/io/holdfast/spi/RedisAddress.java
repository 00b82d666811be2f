// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a server is and how to log in: {@code redis[s]://[user][:password]@host[:port][/database][?timeout=2s]}.
 * Immutable; {@link #toString()} hides the password.
 *
 * @param host host name or address, IPv6 without brackets
 * @param port TCP port
 * @param user ACL user, or null for the default user
 * @param password password, or null for none
 * @param database database number
 * @param tls whether to use TLS, with host name verification
 * @param timeout for connecting and for each command; 1 ms to 1 h
 */
public record RedisAddress(
        String host,
        int port,
        @Nullable String user,
        @Nullable String password,
        int database,
        boolean tls,
        Duration timeout) {

    /** 2 seconds. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);
    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[\\w.-]+)(?::(\\d{1,9}))?");

    /** Checks every part; the message says which one is wrong. */
    public RedisAddress {
        Objects.requireNonNull(host, "host must not be null");
        Objects.requireNonNull(timeout, "timeout must not be null");
        if (host.isBlank()) {
            throw new IllegalArgumentException("Redis host is blank");
        }
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("Redis port must be 1 to 65535, was " + port);
        }
        if (database < 0) {
            throw new IllegalArgumentException("Redis database must not be negative, was " + database);
        }
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
            throw new IllegalArgumentException("Redis timeout must be 1 ms to 1 h, was " + timeout);
        }
    }

    /** {@code localhost:6379}, no password, database 0, 2 s. */
    public static RedisAddress local() {
        return of("localhost", 6379);
    }

    /** A server without password, database 0, 2 s. */
    public static RedisAddress of(String host, int port) {
        return new RedisAddress(host, port, null, null, 0, false, DEFAULT_TIMEOUT);
    }

    /**
     * Parses a Redis URI.
     *
     * @throws IllegalArgumentException when it is none; the message does not repeat the password
     */
    public static RedisAddress parse(String text) {
        URI uri = uri(Objects.requireNonNull(text, "uri must not be null"));
        String scheme = uri.getScheme();
        if (!"redis".equals(scheme) && !"rediss".equals(scheme)) {
            throw new IllegalArgumentException("a Redis URI starts with redis:// or rediss:// (TLS), e.g. "
                    + "redis://localhost:6379; this one starts with " + (scheme == null ? "neither" : scheme + "://"));
        }
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        int at = authority.lastIndexOf('@');
        // By hand: java.net.URI knows no host with an underscore, which Docker's names have.
        Matcher server = HOST_AND_PORT.matcher(authority.substring(at + 1));
        if (!server.matches() || uri.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "the Redis URI names no host and port; write e.g. redis://localhost:6379, "
                            + "and percent-encode special characters of the password");
        }
        String host = server.group(1);
        String[] login = login(at < 0 ? null : authority.substring(0, at));
        return new RedisAddress(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                server.group(2) == null ? 6379 : Integer.parseInt(server.group(2)),
                login[0].isEmpty() ? null : login[0],
                login[1].isEmpty() ? null : login[1],
                database(uri.getPath()),
                "rediss".equals(scheme),
                timeout(uri.getQuery()));
    }

    /** The same address with another time limit for connecting and for each command. */
    public RedisAddress withTimeout(Duration newTimeout) {
        return new RedisAddress(host, port, user, password, database, tls, newTimeout);
    }

    /** The same address with a password for the default user, or none. */
    public RedisAddress withPassword(@Nullable String newPassword) {
        return new RedisAddress(host, port, user, newPassword, database, tls, timeout);
    }

    /** Scheme, host, port and database: all that errors and logs may show. */
    @Override
    public String toString() {
        String shown = host.indexOf(':') < 0 ? host : "[" + host + "]";
        return (tls ? "rediss://" : "redis://") + shown + ":" + port + (database == 0 ? "" : "/" + database);
    }

    private static URI uri(String text) {
        try {
            return new URI(text.strip());
        } catch (URISyntaxException e) {
            // The exception's own message repeats the input, password and all.
            throw new IllegalArgumentException("not a Redis URI (" + e.getReason() + " at character " + e.getIndex()
                    + "); write e.g. redis://localhost:6379, and percent-encode special characters of the password");
        }
    }

    private static String[] login(@Nullable String userInfo) {
        if (userInfo == null) {
            return new String[] {"", ""};
        }
        int colon = userInfo.indexOf(':');
        // redis://secret@host, without a colon, is a password in every client's dialect.
        String user = colon < 0 ? "" : userInfo.substring(0, colon);
        String password = userInfo.substring(colon + 1);
        return new String[] {decode(user), decode(password)};
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static int database(@Nullable String path) {
        if (path == null || path.isEmpty() || path.equals("/")) {
            return 0;
        }
        try {
            return Integer.parseInt(path.substring(1));
        } catch (NumberFormatException e) {
            // The path may be the rest of a password with a slash in it, so neither it nor the exception is shown.
            throw new IllegalArgumentException("the path of a Redis URI is its database number, e.g. /0; "
                    + "percent-encode a slash in the password as %2F");
        }
    }

    private static Duration timeout(@Nullable String query) {
        if (query == null) {
            return DEFAULT_TIMEOUT;
        }
        if (!query.startsWith("timeout=")) {
            throw new IllegalArgumentException("the only parameter of a Redis URI here is timeout, e.g. ?timeout=2s");
        }
        String value = query.substring("timeout=".length());
        try {
            return value.endsWith("ms")
                    ? Duration.ofMillis(Long.parseLong(value.substring(0, value.length() - 2)))
                    : Duration.parse("PT" + value);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("not a timeout: " + value + "; write e.g. 500ms or 2s", e);
        }
    }
}
