// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import io.holdfast.spi.Stored.Queue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who waits, and who hears of it, in an {@link InMemoryBackend}; guarded by that. Word goes out on a thread of its own, as from
 * a server: whoever causes it may hold a lock of the engine's.
 */
final class InMemoryQueues {
    private static final long LIFE = TimeUnit.SECONDS.toNanos(60);

    private final MonotonicClock clock;
    private final Map<String, Queue> byLockKey = new HashMap<>();
    private final Map<String, Signals> byInstance = new HashMap<>();

    InMemoryQueues(MonotonicClock clock) {
        this.clock = clock;
    }

    void listen(String instance, Signals signals) {
        byInstance.putIfAbsent(instance, signals);
    }

    /** Whether the process of a token hears what it is told. */
    boolean listens(String token) {
        return byInstance.containsKey(instance(token));
    }

    void join(LockName name, String first, List<String> behind) {
        join(name, first);
        behind.forEach(entry -> join(name, entry));
    }

    void join(LockName name, String entry) {
        Queue queue = byLockKey.computeIfAbsent(name.lockKey(), key -> new Queue(name));
        if (queue.isOver(clock.nanoTime())) {
            queue.entries.clear();
        }
        queue.endsAt = clock.nanoTime() + LIFE;
        if (!queue.entries.contains(entry)) {
            queue.entries.add(entry);
        }
    }

    void leave(LockName name, String token) {
        live(name).removeIf(entry -> entry.substring(1).equals(token));
        removeEmpty();
    }

    /** The entries of those who wait, first come first. */
    List<String> entries(LockName name) {
        return List.copyOf(live(name));
    }

    /** The tokens of those who wait, first come first. */
    Stream<String> tokens(LockName name) {
        return entries(name).stream().map(entry -> entry.substring(1));
    }

    /** The ids of the first in the queue that are of that token's process. */
    String behind(LockName name, String token) {
        return tokens(name)
                .takeWhile(next -> instance(next).equals(instance(token)))
                .limit(31)
                .map(next -> next.substring(0, Signals.ID_LENGTH))
                .collect(Collectors.joining());
    }

    /**
     * Takes out the first whose process hears that it is its turn; null when there is none.
     *
     * @param own the entry of the caller itself, which needs no telling, or null
     */
    @Nullable
    String pollListening(LockName name, @Nullable String own) {
        List<String> entries = live(name);
        String found = null;
        while (found == null && !entries.isEmpty()) {
            String entry = entries.remove(0);
            if (entry.equals(own) || tell(entry.substring(1), Signals::granted)) {
                found = entry;
            }
        }
        removeEmpty();
        return found;
    }

    /**
     * Lets a holder know that its lock is wanted.
     *
     * @param passerBy token of one that will not wait, and does not disturb its own process; null for one that waits
     */
    void want(String holder, @Nullable String passerBy) {
        if (passerBy == null || !instance(holder).equals(instance(passerBy))) {
            tell(holder, Signals::wanted);
        }
    }

    /** The keys a server would have for them. */
    List<String> keys() {
        removeEmpty();
        return byLockKey.values().stream().map(queue -> queue.name.queueKey()).toList();
    }

    void clear() {
        byLockKey.clear();
    }

    private boolean tell(String token, BiConsumer<Signals, String> word) {
        Signals to = byInstance.get(instance(token));
        if (to == null) {
            return false;
        }
        String id = token.substring(0, Signals.ID_LENGTH);
        ForkJoinPool.commonPool().execute(() -> word.accept(to, id));
        return true;
    }

    private List<String> live(LockName name) {
        removeEmpty();
        Queue queue = byLockKey.get(name.lockKey());
        return queue == null ? new Queue(name).entries : queue.entries;
    }

    private void removeEmpty() {
        long now = clock.nanoTime();
        byLockKey.values().removeIf(queue -> queue.isOver(now) || queue.entries.isEmpty());
    }

    private static String instance(String token) {
        return token.length() < Signals.ID_LENGTH ? "" : token.substring(22, Signals.ID_LENGTH);
    }
}
