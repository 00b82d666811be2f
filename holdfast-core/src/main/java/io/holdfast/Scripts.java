// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.RedisReplyException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Runs scripts on a server that may not know them: a new primary, or one after {@code SCRIPT FLUSH}. */
final class Scripts {
    private final RedisConnector connector;

    Scripts(RedisConnector connector) {
        this.connector = connector;
    }

    CompletionStage<@Nullable Object> run(Script script, List<String> keys, List<String> args) {
        CompletionStage<@Nullable Object> reply = connector.send(script.bySha(keys, args));
        if (Futures.isAnswered(reply)) {
            return reply;
        }
        return reply.exceptionallyCompose(failure -> {
            Throwable error = BackendErrors.unwrap(failure);
            return error instanceof RedisReplyException answer && answer.code().equals("NOSCRIPT")
                    ? connector.send(script.byText(keys, args))
                    : CompletableFuture.failedStage(error);
        });
    }
}
