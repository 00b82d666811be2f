// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.LockName;
import io.holdfast.spi.LockState;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** For those who run the process: looks at locks, here and in Redis, and takes one from whoever holds it. */
final class Overseer {
    private static final Logger log = LoggerFactory.getLogger(EventLog.LOGGER);

    private final Engine engine;

    Overseer(Engine engine) {
        this.engine = engine;
    }

    List<HeldLease> held() {
        long now = engine.clock.nanoTime();
        List<HeldLease> found = new ArrayList<>();
        for (Hold hold : engine.keeper.all()) {
            TokenLease lease = hold.lease(); // none while it is kept for the next one: nobody holds it
            HeldLease seen = lease == null ? null : lease.seen(now);
            if (seen != null) {
                found.add(seen);
            }
        }
        return found;
    }

    List<WaitingAcquire> waiting() {
        return engine.waiting.stream()
                .map(acquisition -> new WaitingAcquire(
                        acquisition.wish.name().key(),
                        acquisition.wish.options().label().orElse(null),
                        acquisition.effort.elapsed()))
                .toList();
    }

    LockInfo inspect(LockName name) {
        return LockInfo.of(name.key(), look(name));
    }

    /** Only the grant that was seen is ended: one that came in between has another value. */
    Optional<LockInfo.Holder> forceRelease(LockName name, OptionalLong expected) {
        LockState state = look(name);
        String value = state.value();
        LockInfo.Holder holder = LockInfo.of(name.key(), state).holder();
        if (value == null || holder == null || !isOfGrant(holder, expected)) {
            return Optional.empty();
        }
        if (!ask("force-release", name, () -> engine.redis.end(name, value, 0))) {
            return Optional.empty();
        }
        log.warn(
                "Lock FORCE-RELEASED: {}, {}",
                name.key(),
                holder.note() == null ? "of an unknown holder" : "held by " + holder.note());
        loseHere(name, value);
        return Optional.of(holder);
    }

    /** Without an expectation any grant will do; zero expects one without a fencing token. */
    private static boolean isOfGrant(LockInfo.Holder holder, OptionalLong expected) {
        OptionalLong actual = holder.fencingToken();
        if (expected.isEmpty()) {
            return true;
        }
        return actual.isEmpty()
                ? expected.getAsLong() == 0
                : Fence.base(actual.getAsLong()) == Fence.base(expected.getAsLong());
    }

    /** Holders of this process need not wait for a renewal to learn of it. Holds of one owner share the fence only. */
    private void loseHere(LockName name, String value) {
        long base = LockValue.parse(value).map(LockValue::fenceBase).orElse(0L);
        for (Hold hold : engine.keeper.all()) {
            boolean same = base == 0 ? hold.value().equals(value) : hold.fenceBase == base;
            if (same && hold.name().equals(name) && !engine.isLocal(hold.backend())) {
                engine.keeper.lose(hold, LostReason.GONE);
            }
        }
    }

    private LockState look(LockName name) {
        return ask("inspect", name, () -> engine.redis.inspect(name));
    }

    private <T> T ask(String verb, LockName name, Supplier<CompletionStage<T>> question) {
        engine.ensureOpen();
        long startedAt = engine.clock.nanoTime();
        return CallerDriver.uninterrupted(
                engine.redis.lookout(),
                () -> engine.alarms
                        .within(question.get(), engine.redis.commandTimeout().toNanos(), verb)
                        .handle((@Nullable T answer, @Nullable Throwable failed) -> {
                            if (answer == null) {
                                Duration elapsed = Duration.ofNanos(engine.clock.nanoTime() - startedAt);
                                throw BackendErrors.exception(
                                        verb,
                                        name.key(),
                                        engine.redis.endpoint(),
                                        elapsed,
                                        BackendErrors.unwrap(failed));
                            }
                            return answer;
                        }));
    }

    Optional<Eviction> eviction(RedisConnector connector) {
        engine.ensureOpen();
        return CallerDriver.uninterrupted(
                connector.lookout(),
                () -> engine.alarms
                        .within(
                                connector.send(RedisCommand.keyless("INFO", "memory")),
                                connector.commandTimeout().toNanos(),
                                "INFO")
                        .handle((@Nullable Object info, @Nullable Throwable failed) ->
                                info instanceof String text ? Optional.of(Eviction.ofInfo(text)) : Optional.empty()));
    }
}
