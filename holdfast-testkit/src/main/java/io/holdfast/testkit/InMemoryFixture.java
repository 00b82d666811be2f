// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.Holdfast;
import io.holdfast.spi.InMemoryBackend;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The in-memory store, which has to pass what real servers pass. */
public final class InMemoryFixture implements ContractFixture {
    private final TestClock clock = TestClock.ticking();
    private final InMemoryBackend store = new InMemoryBackend(clock);

    @Override
    public Holdfast.Builder holdfast() {
        return Holdfast.builder().backend(store).clock(clock);
    }

    @Override
    public Backdoor backdoor() {
        return new StoreBackdoor(store);
    }

    @Override
    public void close() {}

    private record StoreBackdoor(InMemoryBackend store) implements Backdoor {
        @Override
        public @Nullable String get(String lockKey) {
            return store.get(lockKey);
        }

        @Override
        public long pttl(String lockKey) {
            return store.pttl(lockKey);
        }

        @Override
        public void set(String lockKey, String value, long ttlMillis) {
            store.set(lockKey, value, ttlMillis);
        }

        @Override
        public void delete(String lockKey) {
            store.delete(lockKey);
        }

        @Override
        public Set<String> keysContaining(String text) {
            return store.keys().stream().filter(key -> key.contains(text)).collect(Collectors.toSet());
        }

        @Override
        public void flush() {
            store.clear();
        }
    }
}
