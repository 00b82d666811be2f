// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisReplyException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Tells errors apart: may it have been carried out, does trying again help, and what should the reader do. */
final class BackendErrors {
    /** The server is not ready now, and will be again without anybody mending a configuration. */
    private static final Set<String> PASSING = Set.of(
            "LOADING",
            "BUSY",
            "TRYAGAIN",
            "CLUSTERDOWN",
            "MASTERDOWN",
            "READONLY",
            "MISCONF",
            "NOREPLICAS",
            "MOVED",
            "ASK",
            "UNKILLABLE");

    private BackendErrors() {}

    static Throwable unwrap(@Nullable Throwable failure) {
        Throwable inner = failure;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner == null ? new IllegalStateException("a stage failed without saying why") : inner;
    }

    /** Whether the command may have been, or may yet be, carried out. */
    static boolean isAmbiguous(Throwable error) {
        return !(error instanceof RedisReplyException)
                && !(error instanceof RedisConnectionException connection && !connection.maybeExecuted());
    }

    /** Whether asking again may help. Out of memory is not among these: an acquire is to fail fast then. */
    static boolean isPassing(Throwable error) {
        if (error instanceof RedisReplyException reply) {
            return PASSING.contains(reply.code()) || isTooManyClients(reply);
        }
        return error instanceof RedisConnectionException;
    }

    /** Whether this is an outage, which a failure policy may bridge, and not a mistake in a configuration. */
    static boolean isUnavailable(Throwable error) {
        return isPassing(error)
                || (error instanceof RedisReplyException reply && reply.code().equals("OOM"));
    }

    static LockBackendException exception(String verb, String key, String endpoint, Duration elapsed, Throwable error) {
        String message = "Redis could not be asked to " + verb + " lock " + key + " (" + endpoint + ", after "
                + elapsed.toMillis() + " ms): " + error.getMessage() + advice(error);
        return new LockBackendException(message, key, elapsed, isUnavailable(error), error);
    }

    private static boolean isTooManyClients(RedisReplyException reply) {
        return String.valueOf(reply.getMessage()).contains("max number of clients");
    }

    private static String advice(Throwable error) {
        if (!(error instanceof RedisReplyException reply)) {
            return "";
        }
        return switch (reply.code()) {
            case "NOAUTH" -> ". The server wants a password: redis://:password@host";
            case "WRONGPASS" -> ". User or password are wrong";
            case "NOPERM" ->
                ". NOPERM: the ACL user lacks a permission Holdfast needs; docs/troubleshooting.md lists them";
            case "OOM" -> ". The server is at maxmemory; held locks can still be renewed and released";
            case "READONLY" -> ". This is a replica; connect to the primary";
            default -> "";
        };
    }
}
