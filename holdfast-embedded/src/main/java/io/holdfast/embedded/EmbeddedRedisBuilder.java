// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Options of an {@link EmbeddedRedis}. Each setter checks its argument at once and throws {@link
 * IllegalArgumentException} on one that cannot work. Not thread-safe; may start any number of servers.
 */
public final class EmbeddedRedisBuilder {
    private static final Pattern SETTING_NAME = Pattern.compile("[a-z][a-z0-9-]*");
    private static final Pattern ADDRESS = Pattern.compile("[0-9A-Za-z.:_-]+|\\*");
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
    /** Have a method of their own, or would take the server away from its supervisor. */
    private static final Set<String> RESERVED = Set.of("port", "bind", "requirepass", "daemonize");

    private @Nullable Path server;
    private int port;
    private String bind = "127.0.0.1";
    private @Nullable String password;
    private final List<ServerOptions.Setting> settings = new ArrayList<>();

    EmbeddedRedisBuilder() {}

    /**
     * Names the executable, Redis or Valkey; a script must {@code exec} the server. Default: the system property
     * {@code holdfast.redis.server}, then the environment variable {@code HOLDFAST_REDIS_SERVER}, then the server
     * shipped with this module.
     */
    public EmbeddedRedisBuilder server(Path executable) {
        this.server = executable;
        return this;
    }

    /** The TCP port, 1 to 65535. Default: a free one below the range that outgoing connections use. */
    public EmbeddedRedisBuilder port(int number) {
        require(number >= 1 && number <= 65_535, "port must be 1..65535: " + number);
        this.port = number;
        return this;
    }

    /** The one address to listen on. Default: {@code 127.0.0.1}. */
    public EmbeddedRedisBuilder bind(String address) {
        require(ADDRESS.matcher(address).matches(), "bind must be a single address: '" + address + "'");
        this.bind = address;
        return this;
    }

    /** Requires clients to authenticate. Never appears on a command line, in messages or in {@code toString()}. */
    public EmbeddedRedisBuilder password(String secret) {
        require(
                !secret.isEmpty() && !CONTROL.matcher(secret).find(),
                "password must not be empty or contain control characters");
        this.password = secret;
        return this;
    }

    /**
     * Any directive of {@code redis.conf}, such as {@code setting("maxmemory", "2mb")}; replaces this module's own
     * value ({@code save ""}, {@code appendonly no}). Repeating a name repeats the directive.
     */
    public EmbeddedRedisBuilder setting(String name, String value) {
        require(SETTING_NAME.matcher(name).matches(), "not the name of a setting: '" + name + "'");
        require(!RESERVED.contains(name), "'" + name + "' cannot be changed by setting()");
        require(!CONTROL.matcher(value).find(), "value of '" + name + "' must not contain control characters");
        settings.add(new ServerOptions.Setting(name, value));
        return this;
    }

    /**
     * Starts the server and returns once it answers PING.
     *
     * @throws IllegalStateException if there is no such server, none for this platform, or it does not come up within
     *     10 s; the message ends with the server's own last words
     */
    public EmbeddedRedis start() {
        Path executable = ServerLocator.locate(server);
        return EmbeddedRedis.start(
                new ServerOptions(executable, port, bind, password, settings), Ports.choice(port, bind));
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
