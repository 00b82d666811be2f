// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.AcquireRequest;
import io.holdfast.spi.InMemoryBackend;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockName;
import io.holdfast.spi.LockState;
import io.holdfast.spi.ReleaseReply;
import io.holdfast.spi.ReleaseRequest;
import io.holdfast.spi.RenewReply;
import io.holdfast.spi.RenewRequest;
import io.holdfast.spi.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** An in-memory store whose verbs fail or hang when told. What hangs is carried out, late, when it is healed. */
final class FaultyBackend implements LockBackend {
    /** What happens to a verb: an error, or with none it hangs. */
    private record Fault(Optional<RuntimeException> error) {}

    private final InMemoryBackend store;
    private final Map<String, LockName> names = new ConcurrentHashMap<>();

    // Guarded by faults.
    private final Map<Verb, Fault> faults = new EnumMap<>(Verb.class);
    private final List<Runnable> hanging = new ArrayList<>();

    FaultyBackend(InMemoryBackend store) {
        this.store = store;
    }

    void fail(Collection<Verb> verbs, RuntimeException error) {
        put(verbs, new Fault(Optional.of(error)));
    }

    void hang(Collection<Verb> verbs) {
        put(verbs, new Fault(Optional.empty()));
    }

    void heal() {
        List<Runnable> late;
        synchronized (faults) {
            faults.clear();
            late = List.copyOf(hanging);
            hanging.clear();
        }
        late.forEach(Runnable::run);
    }

    /** The keys of a lock somebody asked for. */
    Optional<LockName> name(String key) {
        return Optional.ofNullable(names.get(key));
    }

    private void put(Collection<Verb> verbs, Fault fault) {
        synchronized (faults) {
            verbs.forEach(verb -> faults.put(verb, fault));
        }
    }

    private <T> CompletionStage<T> run(Verb verb, Supplier<CompletionStage<T>> call) {
        synchronized (faults) {
            Fault fault = faults.get(verb);
            if (fault != null) {
                return fault.error()
                        .<CompletionStage<T>>map(CompletableFuture::failedStage)
                        .orElseGet(() -> hang(call));
            }
        }
        return call.get();
    }

    private <T> CompletionStage<T> hang(Supplier<CompletionStage<T>> call) {
        CompletableFuture<T> pending = new CompletableFuture<>();
        hanging.add(() -> call.get().thenAccept(pending::complete));
        return pending;
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request) {
        names.put(request.name().key(), request.name());
        return run(Verb.ACQUIRE, () -> store.acquire(request));
    }

    @Override
    public CompletionStage<List<RenewReply>> renew(List<RenewRequest> batch) {
        return run(Verb.RENEW, () -> store.renew(batch));
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        return run(Verb.RELEASE, () -> store.release(request));
    }

    @Override
    public CompletionStage<Boolean> abandon(LockName name, String token, boolean owned) {
        return run(Verb.RELEASE, () -> store.abandon(name, token, owned));
    }

    @Override
    public CompletionStage<Boolean> end(LockName name, String value, long afterMillis) {
        return run(Verb.RELEASE, () -> store.end(name, value, afterMillis));
    }

    @Override
    public CompletionStage<?> serve(LockName name) {
        return store.serve(name);
    }

    @Override
    public void listen(String instance, Signals signals) {
        store.listen(instance, signals);
    }

    @Override
    public long listening() {
        return store.listening();
    }

    @Override
    public CompletionStage<LockState> inspect(LockName name) {
        return run(Verb.INSPECT, () -> store.inspect(name));
    }

    @Override
    public boolean blocking() {
        return store.blocking();
    }

    @Override
    public Duration commandTimeout() {
        return store.commandTimeout();
    }

    @Override
    public String endpoint() {
        return store.endpoint();
    }

    @Override
    public void close() {}
}
