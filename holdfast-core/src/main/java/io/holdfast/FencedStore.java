// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnector;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Values in Redis that refuse stale writers: a write carries the fencing token of its lease, and one with a lower token than
 * the last is rejected, whatever pauses or partitions happened. Each value is a hash with the fields {@code value} and
 * {@code fence}, at a key that is used as it is. Keys follow the rules for those of locks: at most 512 bytes of UTF-8, not
 * blank, no control characters; else {@code IllegalArgumentException}. Thread-safe; blocks for one command.
 *
 * <pre>{@code
 * boolean accepted = locks.fencedStore().set("balance:42", "100", lease.fencingToken());
 * }</pre>
 */
public final class FencedStore {
    private final RedisConnector connector;
    private final Engine engine;

    FencedStore(RedisConnector connector, Engine engine) {
        this.connector = connector;
        this.engine = engine;
    }

    /**
     * Writes unless a higher token has written before; an equal one is the same holder's and passes.
     *
     * @return false when the write was stale and nothing changed
     * @throws LockBackendException when Redis could not be asked; the write may have happened
     */
    public boolean set(String key, String value, long fencingToken) {
        Limits.fencedKey(key);
        Limits.given("value", value);
        String fence = String.format(Locale.ROOT, "%019d", fencingToken);
        return call(
                "write",
                key,
                new Scripts(connector)
                        .run(Script.FENCED_SET, List.of(key), List.of(fence, value))
                        .thenApply(Replies::isOne));
    }

    /**
     * The last value accepted, if any.
     *
     * @throws LockBackendException when Redis could not be asked
     */
    public Optional<String> get(String key) {
        Limits.fencedKey(key);
        return call(
                "read",
                key,
                connector
                        .send(RedisCommand.keyed("HGET", key, "value"))
                        .thenApply(value -> Optional.ofNullable(value).map(Replies::text)));
    }

    private <T> T call(String verb, String key, CompletionStage<T> reply) {
        long startedAt = engine.clock.nanoTime();
        CompletableFuture<T> limited =
                engine.alarms.within(reply, connector.commandTimeout().toNanos(), "a fenced " + verb);
        return CallerDriver.uninterrupted(
                connector.lookout(),
                () -> limited.handle((@Nullable T value, @Nullable Throwable failed) -> {
                    if (failed != null || value == null) {
                        Duration elapsed = Duration.ofNanos(engine.clock.nanoTime() - startedAt);
                        throw BackendErrors.exception(
                                verb + " a fenced value under",
                                key,
                                connector.endpoint(),
                                elapsed,
                                BackendErrors.unwrap(failed));
                    }
                    return value;
                }));
    }
}
