// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.LockName;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisReplyException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The server the doctor examines, as the user of its address sees it, and the throw-away lock it is examined with. */
final class Patient implements AutoCloseable {
    private final RedisAddress address;
    private final String prefix;
    private final LockName name;
    private final RedisConnector connector;
    private @Nullable Map<String, String> info;

    Patient(RedisAddress address, String prefix) {
        this.address = address;
        this.prefix = prefix;
        this.name = new LockName(
                "doctor:" + UUID.randomUUID(),
                prefix.isEmpty() ? "lock:" : prefix + ":lock:",
                prefix.isEmpty() ? "holdfast" : prefix);
        this.connector = JedisConnector.connect(address);
    }

    RedisAddress address() {
        return address;
    }

    String prefix() {
        return prefix;
    }

    /** Keys nobody else has, in the application's name space. */
    LockName name() {
        return name;
    }

    RedisConnector connector() {
        return connector;
    }

    /** What a process listens on begins with this. */
    String channelPrefix() {
        return name.companionPrefix() + ":ch:";
    }

    /** All keys of the application's locks. */
    String keyPattern() {
        return prefix.isEmpty() ? "~lock:* ~holdfast:*" : "~" + prefix + ":*";
    }

    /** The line that grants the user of this address what it lacks. */
    String grant(Collection<String> permissions) {
        String user = address.user() == null ? "default" : address.user();
        return "ACL SETUSER " + user + " " + String.join(" ", permissions);
    }

    /**
     * Sends a command and returns its reply.
     *
     * @throws NotAllowed if an ACL forbids it
     * @throws RedisReplyException for any other error the server answers with
     */
    @Nullable
    Object ask(String... words) {
        try {
            return connector
                    .send(new RedisCommand(List.of(words), 0))
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RedisReplyException refusal
                    && refusal.code().equals("NOPERM")) {
                throw new NotAllowed(permission(refusal, words), refusal);
            }
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** What the user lacks. Servers name the command, and of keys and channels say no more than that they are. */
    String permission(RedisReplyException refusal, String... words) {
        String message = String.valueOf(refusal.getMessage());
        boolean command = message.contains("run the '") || message.contains("run this command");
        if (!command && message.contains("channel")) {
            return "&" + channelPrefix() + "*";
        }
        if (!command && message.contains("key")) {
            return keyPattern();
        }
        String name = words[0].toLowerCase(Locale.ROOT);
        boolean container = name.equals("config") || name.equals("command");
        return "+" + (container ? name + "|" + words[1].toLowerCase(Locale.ROOT) : name);
    }

    /** The fields of {@code INFO}, asked once. */
    Map<String, String> info() {
        if (info == null) {
            Map<String, String> fields = new HashMap<>();
            String.valueOf(ask("INFO"))
                    .lines()
                    .filter(line -> line.contains(":"))
                    .forEach(line -> {
                        int colon = line.indexOf(':');
                        fields.put(
                                line.substring(0, colon),
                                line.substring(colon + 1).strip());
                    });
            info = fields;
        }
        return info;
    }

    /** A number in {@code INFO}; 0 if this server does not tell. */
    long number(String field) {
        String text = info().getOrDefault(field, "");
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    /** A setting; empty if this server has none of that name. */
    String config(String setting) {
        return ask("CONFIG", "GET", setting) instanceof List<?> pair && pair.size() == 2
                ? String.valueOf(pair.get(1))
                : "";
    }

    @Override
    public void close() {
        connector.close();
    }
}
