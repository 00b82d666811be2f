// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisReplyException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The server a command talks to: its address, whether it answers, and taking away what a demo wrote. */
public final class Redis {
    static final String PASSWORD_VARIABLE = "REDISCLI_AUTH";
    static final String URI_HELP =
            "redis[s]://[user][:password]@host[:port][/database]. A password is better kept in the "
                    + "environment variable " + PASSWORD_VARIABLE
                    + ", where other users of this machine cannot see it.";

    private Redis() {}

    /** An address as the user gave it; the password may be in the environment. */
    public static RedisAddress address(String uri) {
        try {
            RedisAddress address = RedisAddress.parse(uri);
            String password = System.getenv(PASSWORD_VARIABLE);
            return address.password() == null && password != null && !password.isEmpty()
                    ? address.withPassword(password)
                    : address;
        } catch (IllegalArgumentException e) {
            throw new CommandFailure("--redis: " + e.getMessage(), e);
        }
    }

    /** Returns if the server answers and lets us in. */
    static void check(RedisAddress address) {
        try (RedisConnector connector = JedisConnector.connect(address)) {
            send(connector, "PING");
        } catch (RedisConnectionException e) {
            throw new CommandFailure("no answer from " + address + ": " + reason(e), e);
        } catch (RedisReplyException e) {
            throw new CommandFailure(address + " refuses: " + e.getMessage(), e);
        }
    }

    /** Deletes every key under a prefix; as far as the server lets us, for there is nobody left to tell. */
    static void deleteKeys(RedisAddress address, String prefix) {
        try (RedisConnector connector = JedisConnector.connect(address)) {
            String cursor = "0";
            do {
                List<?> page = (List<?>) send(connector, "SCAN", cursor, "MATCH", prefix + ":*", "COUNT", "1000");
                cursor = String.valueOf(page.get(0));
                List<String> words = new ArrayList<>(List.of("DEL"));
                ((List<?>) page.get(1)).forEach(key -> words.add(String.valueOf(key)));
                if (words.size() > 1) {
                    send(connector, words.toArray(String[]::new));
                }
            } while (!cursor.equals("0"));
        } catch (RedisConnectionException | RedisReplyException e) {
            return;
        }
    }

    private static Object send(RedisConnector connector, String... words) {
        try {
            @Nullable
            Object reply = connector
                    .send(words.length == 1 ? RedisCommand.keyless(words) : RedisCommand.keyed(words))
                    .toCompletableFuture()
                    .join();
            return reply == null ? List.of() : reply;
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** The innermost reason: "Connection refused" says more than what failed because of it. */
    private static String reason(Throwable failure) {
        Throwable inner = failure;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        if (inner.getSuppressed().length > 0) {
            inner = inner.getSuppressed()[0];
        }
        return inner.getMessage() == null ? inner.getClass().getSimpleName() : inner.getMessage();
    }
}
