// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import io.holdfast.spi.Stored.Owned;
import io.holdfast.spi.Stored.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The verbs inside this process: the fall-back when Redis is down, and the store behind the test kit. It keeps what the
 * scripts keep and answers as they do, on the injected clock; but it passes a lock on for a moment only. Thread-safe.
 */
public final class InMemoryBackend implements LockBackend {
    private static final long PROVISIONAL_MILLIS = 1_000;
    private static final int FEW = 64;

    private final MonotonicClock clock;
    // Guarded by this; values and owners by lock key.
    private final Map<String, Value> values = new HashMap<>();
    private final Map<String, Owned> owned = new HashMap<>();
    private final InMemoryFences fences;
    private final InMemoryQueues queues;
    private int sweepAt = FEW;

    /** Empty. */
    public InMemoryBackend(MonotonicClock clock) {
        this.clock = clock;
        this.fences = new InMemoryFences(clock);
        this.queues = new InMemoryQueues(clock);
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request) {
        return CompletableFuture.completedStage(tryAcquire(request));
    }

    private synchronized AcquireReply tryAcquire(AcquireRequest request) {
        LockName name = request.name();
        boolean joins = request.waits() && queues.listens(request.token());
        Value held = live(values, name.lockKey());
        if (held == null && request.fair()) {
            if (joins) {
                queues.join(name, request.queueEntry());
            }
            passOn(name, request);
            held = live(values, name.lockKey());
        }
        if (held == null) {
            held = take(request);
        } else if (!isOf(held, request)) {
            long left = timeLeft(held);
            if (Value.longestLife(held.text) > 0) {
                queues.want(held.text, joins ? null : request.token());
            }
            if (joins) {
                queues.join(name, request.queueEntry());
            }
            return new AcquireReply.Contended(held.text, left, false, joins);
        }
        extend(held, request.ttlMillis());
        Owned holds = request.owner() == null ? null : live(owned, name.lockKey());
        if (holds != null) {
            if (Value.longestLife(request.token())
                    > Value.longestLife(held.text)) { // or a contender would cut this hold's life down
                held.text = request.token() + held.fenceMark();
                holds.text = held.text;
            }
            holds.keep(request.token(), in(request.ttlMillis()));
            holds.endsAt = held.endsAt;
        }
        queues.leave(name, request.token());
        return granted(held, request);
    }

    private AcquireReply.Granted granted(Value held, AcquireRequest to) {
        String mark = held.fenceMark();
        return new AcquireReply.Granted(
                mark.isEmpty() ? 0 : Long.parseLong(mark.substring(1)),
                !queues.entries(to.name()).isEmpty(),
                false, // no word is lost here
                false,
                to.fair() && to.owner() == null ? queues.behind(to.name(), to.token()) : "");
    }

    private Value take(AcquireRequest request) {
        sweep();
        LockName name = request.name();
        String token = request.token();
        Value taken =
                new Value(request.fenced() ? token + '#' + fences.next(name.fenceKey(), request.fenceFloor()) : token);
        taken.endsAt = in(request.ttlMillis());
        values.put(name.lockKey(), taken);
        belongsTo(taken, request);
        return taken;
    }

    private void belongsTo(Value held, AcquireRequest request) {
        if (request.owner() != null) {
            Owned holds = new Owned(request.name(), held.text, request.owner());
            holds.endsAt = in(request.ttlMillis()); // what it was passed may have no end
            owned.put(request.name().lockKey(), holds);
        }
    }

    private boolean isOf(Value held, AcquireRequest request) {
        Owned holds = request.owner() == null ? null : ownerOf(request.name(), held);
        if (holds != null) {
            return holds.owner.equals(request.owner());
        }
        boolean mine = held.isOf(request.token());
        if (mine) { // with an owner: it was passed on to this token
            belongsTo(held, request);
        }
        return mine;
    }

    @Override
    public CompletionStage<List<RenewReply>> renew(List<RenewRequest> batch) {
        return CompletableFuture.completedStage(
                batch.stream().map(this::tryRenew).toList());
    }

    private synchronized RenewReply tryRenew(RenewRequest request) {
        Value held = live(values, request.name().lockKey());
        if (held == null) {
            return new RenewReply.Gone();
        }
        if (request.owner() == null) {
            if (!held.text.equals(request.value())) {
                return new RenewReply.Gone();
            }
            extend(held, request.ttlMillis());
            return new RenewReply.Renewed();
        }
        Owned holds = ownerOf(request.name(), held);
        if (holds == null || !holds.has(request.value(), clock.nanoTime())) {
            return new RenewReply.Gone();
        }
        extend(held, request.ttlMillis());
        holds.keep(request.value(), in(request.ttlMillis()));
        holds.endsAt = held.endsAt;
        return new RenewReply.Renewed();
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        return CompletableFuture.completedStage(
                request.owner() == null
                        ? tryRelease(request)
                        : new ReleaseReply(tryReleaseOwner(request.name(), request.token(), request.counted()), null));
    }

    private synchronized ReleaseReply tryRelease(ReleaseRequest request) {
        LockName name = request.name();
        AcquireRequest again = request.again();
        Value held = live(values, name.lockKey());
        boolean mine = held != null && held.text.equals(request.value());
        if (!request.wanted()) {
            return new ReleaseReply(mine && values.remove(name.lockKey()) != null, null);
        }
        request.served().forEach(entry -> queues.leave(name, entry.substring(1)));
        if (again != null && !(held != null && held.isOf(again.token()))) {
            queues.join(name, again.queueEntry(), request.behind());
            if (held != null && !mine) {
                queues.want(held.text, null);
            }
        }
        if (mine || held == null) {
            passOn(name, again);
        }
        Value now = live(values, name.lockKey());
        if (again == null || now == null || !now.isOf(again.token())) {
            return new ReleaseReply(mine, null);
        }
        extend(now, again.ttlMillis()); // a retry may find its turn come meanwhile; its caller counts from now
        return new ReleaseReply(mine, granted(now, again));
    }

    @Override
    public synchronized CompletionStage<?> serve(LockName name) {
        if (live(values, name.lockKey()) == null) {
            passOn(name, null);
        }
        return CompletableFuture.completedStage(true);
    }

    @Override
    public synchronized void listen(String instance, Signals signals) {
        queues.listen(instance, signals);
    }

    @Override
    public long listening() {
        return 1;
    }

    @Override
    public CompletionStage<Boolean> abandon(LockName name, String token, boolean isOwned) {
        return CompletableFuture.completedStage(isOwned ? tryReleaseOwner(name, token, true) : tryAbandon(name, token));
    }

    private synchronized boolean tryAbandon(LockName name, String token) {
        queues.leave(name, token);
        Value held = live(values, name.lockKey());
        if (held == null || !held.isOf(token)) {
            return false;
        }
        passOn(name, null);
        return true;
    }

    @Override
    public synchronized CompletionStage<Boolean> end(LockName name, String value, long afterMillis) {
        Value held = live(values, name.lockKey());
        if (held == null || !held.text.equals(value)) {
            return CompletableFuture.completedStage(false);
        }
        if (afterMillis > 0) {
            held.endBy(in(afterMillis));
        } else {
            queues.want(value, null); // a process that keeps it for the next one lets go
            owned.remove(name.lockKey());
            passOn(name, null);
        }
        return CompletableFuture.completedStage(true);
    }

    /** To the first in the queue that listens, for a moment; free when there is none. */
    private void passOn(LockName name, @Nullable AcquireRequest caller) {
        values.remove(name.lockKey());
        String own = caller == null ? null : caller.queueEntry();
        String entry = queues.pollListening(name, own);
        if (entry == null || entry.charAt(0) == 'w') {
            return;
        }
        String token = entry.substring(1);
        long floor = caller == null ? 0 : caller.fenceFloor();
        long most = Math.min(PROVISIONAL_MILLIS, Value.longestLife(token));
        boolean fenced = "Ff".indexOf(entry.charAt(0)) >= 0;
        Value passed = new Value(fenced ? token + '#' + fences.next(name.fenceKey(), floor) : token);
        passed.endsAt = in(caller != null && entry.equals(own) ? caller.ttlMillis() : most);
        values.put(name.lockKey(), passed);
    }

    private synchronized boolean tryReleaseOwner(LockName name, String token, boolean counted) {
        queues.leave(name, token);
        Owned holds = live(owned, name.lockKey());
        Value held = live(values, name.lockKey());
        if (held != null && held.isOf(token) && ownerOf(name, held) == null) {
            owned.remove(name.lockKey());
            passOn(name, null); // passed on to a waiter that left before it knew
            return true;
        }
        if (holds == null || !holds.drop(token, clock.nanoTime())) {
            return false;
        }
        if (held == null || !held.text.equals(holds.text)) {
            owned.remove(name.lockKey());
            return false;
        }
        if (counted && !holds.tokens.isEmpty()) {
            // Should those that stay have crashed, nobody waits for the lease of one that left.
            held.endAt(holds.lastEnd());
            holds.endsAt = held.endsAt;
            return true;
        }
        owned.remove(name.lockKey());
        passOn(name, null);
        return true;
    }

    @Override
    public CompletionStage<LockState> inspect(LockName name) {
        return CompletableFuture.completedStage(look(name));
    }

    private synchronized LockState look(LockName name) {
        List<String> waiting = queues.tokens(name).limit(100).toList();
        Value held = live(values, name.lockKey());
        if (held == null) {
            return new LockState(false, null, -2, null, 0, waiting);
        }
        Owned holds = ownerOf(name, held);
        return new LockState(
                true,
                held.text,
                millisLeft(held),
                holds == null ? null : holds.owner,
                holds == null ? 0 : holds.count(clock.nanoTime()),
                waiting);
    }

    /** The value at a lock key, as {@code GET} would show it, or null. */
    public synchronized @Nullable String get(String lockKey) {
        Value held = live(values, lockKey);
        return held == null ? null : held.text;
    }

    /** Milliseconds a lock key still lives, as {@code PTTL} would say: -1 for ever, -2 when there is none. */
    public synchronized long pttl(String lockKey) {
        Value held = live(values, lockKey);
        return held == null ? -2 : millisLeft(held);
    }

    /** Puts a value at a lock key whoever holds it, as {@code SET} would; for ever when {@code ttlMillis} is 0. */
    public synchronized void set(String lockKey, String value, long ttlMillis) {
        Value foreign = new Value(value);
        foreign.eternal = ttlMillis == 0;
        foreign.endsAt = in(ttlMillis);
        values.put(lockKey, foreign);
    }

    /** Removes a lock whoever holds it, as {@code DEL} would; true when there was one. */
    public synchronized boolean delete(String lockKey) {
        return live(values, lockKey) != null && values.remove(lockKey) != null;
    }

    /** Every key a server would have now, companions included. */
    public synchronized Set<String> keys() {
        removeExpired();
        Set<String> keys = new TreeSet<>(values.keySet());
        owned.values().forEach(holds -> keys.addAll(List.of(holds.name.ownerKey(), holds.name.holdsKey())));
        keys.addAll(queues.keys());
        keys.addAll(fences.keys());
        return keys;
    }

    /** Forgets everything, as {@code FLUSHALL} would. */
    public synchronized void clear() {
        values.clear();
        owned.clear();
        queues.clear();
        fences.clear();
    }

    private @Nullable Owned ownerOf(LockName name, Value held) {
        Owned holds = live(owned, name.lockKey());
        return holds != null && holds.text.equals(held.text) ? holds : null;
    }

    private <E extends Stored> @Nullable E live(Map<String, E> map, String lockKey) {
        E found = map.get(lockKey);
        if (found != null && found.isOver(clock.nanoTime())) {
            map.remove(lockKey);
            return null;
        }
        return found;
    }

    private void extend(Value held, long ttlMillis) {
        held.lastUntil(in(ttlMillis));
    }

    /** One of ours never outlives the longest TTL its value names; another library's is left alone. */
    private long timeLeft(Value held) {
        long most = Value.longestLife(held.text);
        if (most > 0) {
            held.endBy(in(most));
        }
        return millisLeft(held);
    }

    private long millisLeft(Value held) {
        return held.eternal ? -1 : TimeUnit.NANOSECONDS.toMillis(held.endsAt - clock.nanoTime());
    }

    private long in(long millis) {
        return clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    synchronized int size() {
        return values.size();
    }

    /** Locks nobody asks for again must not pile up; looking through them whenever they doubled costs next to nothing. */
    private void sweep() {
        if (values.size() >= sweepAt) {
            removeExpired();
            sweepAt = Math.max(FEW, 2 * values.size());
        }
    }

    private void removeExpired() {
        long now = clock.nanoTime();
        values.values().removeIf(value -> value.isOver(now));
        owned.values().removeIf(holds -> holds.isOver(now));
    }

    @Override
    public String endpoint() {
        return "in memory";
    }
}
