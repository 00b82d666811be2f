// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisReplyException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compare-and-delete by the server's own command where it has one ({@code DELEX … IFEQ} on Redis 8.4, {@code DELIFEQ} on
 * Valkey 9): a sixth of a script's cost. Asked once, at the first release; a server that refuses the command after all (an
 * ACL, a fail-over to an older version) is not asked again.
 */
final class NativeDelete {
    private enum Kind {
        SCRIPT,
        DELEX,
        DELIFEQ
    }

    private final RedisConnector connector;
    private final AtomicBoolean asked = new AtomicBoolean();
    private volatile Kind kind = Kind.SCRIPT;

    NativeDelete(RedisConnector connector) {
        this.connector = connector;
    }

    CompletionStage<Boolean> delete(String key, String value, Supplier<CompletionStage<Boolean>> script) {
        if (!asked.get() && asked.compareAndSet(false, true)) {
            ask();
        }
        return switch (kind) {
            case SCRIPT -> script.get();
            case DELEX -> send(RedisCommand.keyed("DELEX", key, "IFEQ", value), script);
            case DELIFEQ -> send(RedisCommand.keyed("DELIFEQ", key, value), script);
        };
    }

    private CompletionStage<Boolean> send(RedisCommand command, Supplier<CompletionStage<Boolean>> script) {
        return connector.send(command).thenApply(Replies::isOne).exceptionallyCompose(failure -> {
            Throwable error = BackendErrors.unwrap(failure);
            if (error instanceof RedisReplyException reply && isRefusal(reply)) {
                kind = isForGood(reply) ? Kind.SCRIPT : kind;
                return script.get();
            }
            return CompletableFuture.failedStage(error);
        });
    }

    private static boolean isRefusal(RedisReplyException reply) {
        return switch (reply.code()) {
            case "ERR", "NOPERM", "WRONGTYPE" -> true;
            default -> false;
        };
    }

    /** A key of another type, WRONGTYPE on Valkey and a bare ERR on Redis, says nothing of the server. */
    private static boolean isForGood(RedisReplyException reply) {
        return reply.code().equals("NOPERM")
                || String.valueOf(reply.getMessage()).startsWith("ERR unknown command");
    }

    private void ask() {
        connector
                .send(RedisCommand.keyless("COMMAND", "INFO", "DELEX", "DELIFEQ"))
                .whenComplete((reply, failure) -> {
                    if (reply instanceof List<?> found && found.size() == 2) {
                        kind = isKnown(found.get(0)) ? Kind.DELEX : isKnown(found.get(1)) ? Kind.DELIFEQ : Kind.SCRIPT;
                    } else if (!(failure == null || BackendErrors.unwrap(failure) instanceof RedisReplyException)) {
                        asked.set(false); // the connection failed, not the question
                    }
                });
    }

    private static boolean isKnown(@Nullable Object info) {
        return info instanceof List<?> details && !details.isEmpty();
    }
}
