// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The verbs inside this process: the fall-back when Redis is down, and the store behind the test kit. The same answers as the
 * scripts give, on the injected clock. Thread-safe, never fails.
 */
public final class InMemoryBackend implements LockBackend {
    private final MonotonicClock clock;
    private final Map<String, Entry> locks = new HashMap<>();
    private final Map<String, List<String>> queues = new HashMap<>();
    private long lastFence;

    /** A store of its own, empty. */
    public InMemoryBackend(MonotonicClock clock) {
        this.clock = clock;
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request) {
        return CompletableFuture.completedStage(tryAcquire(request));
    }

    private synchronized AcquireReply tryAcquire(AcquireRequest request) {
        Entry entry = live(request.name());
        if (entry == null) {
            long base = request.fenced() ? nextFence(request.fenceFloor()) : 0;
            String value = base == 0 ? request.token() : request.token() + '#' + base;
            entry = new Entry(value, base, request.owner());
            locks.put(request.name().lockKey(), entry);
        } else if (!entry.isHeldBy(request)) {
            if (request.waits()) {
                List<String> queue = queues.computeIfAbsent(request.name().queueKey(), key -> new ArrayList<>());
                if (!queue.contains(request.token())) {
                    queue.add(request.token());
                }
            }
            return new AcquireReply.Contended(entry.value, entry.millisLeft(clock.nanoTime()), false);
        }
        entry.extend(request.token(), clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(request.ttlMillis()));
        leaveQueue(request.name(), request.token());
        return new AcquireReply.Granted(entry.fenceBase);
    }

    @Override
    public CompletionStage<List<RenewReply>> renew(List<RenewRequest> batch) {
        return CompletableFuture.completedStage(
                batch.stream().map(this::tryRenew).toList());
    }

    private synchronized RenewReply tryRenew(RenewRequest request) {
        Entry entry = live(request.name());
        if (entry == null || !entry.isRenewedBy(request, clock.nanoTime())) {
            return new RenewReply.Gone();
        }
        entry.extend(
                request.owner() == null ? entry.token() : request.value(),
                clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(request.ttlMillis()));
        return new RenewReply.Renewed();
    }

    @Override
    public CompletionStage<Boolean> release(ReleaseRequest request) {
        return CompletableFuture.completedStage(tryRelease(request.name(), request.token(), request.counted()));
    }

    @Override
    public CompletionStage<Boolean> abandon(LockName name, String token, boolean owned) {
        return CompletableFuture.completedStage(tryRelease(name, token, true));
    }

    private synchronized boolean tryRelease(LockName name, String token, boolean counted) {
        leaveQueue(name, token);
        Entry entry = live(name);
        if (entry == null) {
            return false;
        }
        entry.holds.values().removeIf(endsAt -> endsAt - clock.nanoTime() <= 0);
        if (entry.holds.remove(token) == null) {
            return false;
        }
        if (!counted || entry.holds.isEmpty()) {
            locks.remove(name.lockKey());
        } else {
            entry.endWithTheLastHold();
        }
        return true;
    }

    @Override
    public CompletionStage<LockState> inspect(LockName name) {
        return CompletableFuture.completedStage(look(name));
    }

    private synchronized LockState look(LockName name) {
        List<String> waiting = List.copyOf(queues.getOrDefault(name.queueKey(), List.of()));
        Entry entry = live(name);
        return entry == null
                ? new LockState(false, null, -2, null, 0, waiting)
                : new LockState(
                        true,
                        entry.value,
                        entry.millisLeft(clock.nanoTime()),
                        entry.owner,
                        entry.owner == null ? 0 : entry.holds.size(),
                        waiting);
    }

    /** Removes a lock whoever holds it, as {@code DEL} would; true when there was one. */
    public synchronized boolean delete(String lockKey) {
        return locks.remove(lockKey) != null;
    }

    /** Forgets everything, as {@code FLUSHALL} would. */
    public synchronized void clear() {
        locks.clear();
        queues.clear();
        lastFence = 0;
    }

    private @Nullable Entry live(LockName name) {
        Entry entry = locks.get(name.lockKey());
        if (entry != null && entry.endsAt - clock.nanoTime() <= 0) {
            locks.remove(name.lockKey());
            return null;
        }
        return entry;
    }

    private void leaveQueue(LockName name, String token) {
        List<String> queue = queues.get(name.queueKey());
        if (queue != null && queue.remove(token) && queue.isEmpty()) {
            queues.remove(name.queueKey());
        }
    }

    private long nextFence(long floor) {
        long now = TimeUnit.NANOSECONDS.toMicros(clock.nanoTime());
        lastFence = Math.max(Math.max(lastFence, floor) + 1, now);
        return lastFence;
    }

    @Override
    public boolean blocking() {
        return false;
    }

    @Override
    public Duration commandTimeout() {
        return Duration.ofSeconds(2);
    }

    @Override
    public String endpoint() {
        return "in memory";
    }

    @Override
    public void close() {}

    /** One held lock; its holds are one token, or all those of its owner. */
    private static final class Entry {
        final String value;
        final long fenceBase;
        final @Nullable String owner;
        final Map<String, Long> holds = new HashMap<>();
        long endsAt = Long.MIN_VALUE;

        Entry(String value, long fenceBase, @Nullable String owner) {
            this.value = value;
            this.fenceBase = fenceBase;
            this.owner = owner;
        }

        String token() {
            int hash = value.lastIndexOf('#');
            return hash < 0 ? value : value.substring(0, hash);
        }

        boolean isHeldBy(AcquireRequest request) {
            return holds.containsKey(request.token()) || (owner != null && owner.equals(request.owner()));
        }

        boolean isRenewedBy(RenewRequest request, long now) {
            if (request.owner() == null) {
                return value.equals(request.value());
            }
            Long holdEndsAt = holds.get(request.value());
            return holdEndsAt != null && holdEndsAt - now > 0;
        }

        /** Never shorter than it was. */
        void extend(String token, long until) {
            boolean fresh = holds.isEmpty();
            holds.merge(token, until, (a, b) -> a - b > 0 ? a : b);
            endsAt = fresh || until - endsAt > 0 ? until : endsAt;
        }

        /** Should those that stay have crashed, nobody waits for the lease of one that left. */
        void endWithTheLastHold() {
            endsAt = holds.values().stream().reduce((a, b) -> a - b > 0 ? a : b).orElse(endsAt);
        }

        long millisLeft(long now) {
            return TimeUnit.NANOSECONDS.toMillis(endsAt - now);
        }
    }
}
