// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.LockState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What {@link LockManager#inspect} saw: one instant's truth, possibly over by the time it is read.
 *
 * @param key the business key
 * @param holder who has the lock, or null when it is free
 * @param waiting who waits, first come first, as {@code host/pid}; at most 100. Those that died waiting are listed for
 *     up to a minute
 */
public record LockInfo(String key, @Nullable Holder holder, List<String> waiting) {

    static LockInfo of(String key, LockState state) {
        Holder holder = state.held() ? Holder.of(state) : null;
        return new LockInfo(
                key, holder, state.waiting().stream().map(LockInfo::noteOf).toList());
    }

    /** Whether somebody has the lock. */
    public boolean isHeld() {
        return holder != null;
    }

    private static String noteOf(String token) {
        return LockValue.parse(token).map(LockValue::note).orElse("unknown");
    }

    /**
     * Who has the lock.
     *
     * @param note {@code host/pid} of the holder, or null for a lock of another library
     * @param ttl how long the key still lives, or null when it lives for ever or that is not known
     * @param eternal whether the key has no TTL: a lock of another library that nothing will ever free
     * @param since when it was granted, by the server's clock, or null without fencing
     * @param fencingToken token of the grant (of its first turn), empty without fencing
     * @param owner owner id, or null
     * @param holds how many holds that owner has, 0 without an owner
     * @param incompatible whether the key holds something other than a string: a lock of another library, or a mistake
     */
    public record Holder(
            @Nullable String note,
            @Nullable Duration ttl,
            boolean eternal,
            @Nullable Instant since,
            OptionalLong fencingToken,
            @Nullable String owner,
            int holds,
            boolean incompatible) {

        private static final AcquireReply.Contended NOBODY = new AcquireReply.Contended(null, -2, false, false);

        /** Null when nobody was seen. */
        static Holder of(AcquireReply.@Nullable Contended seen) {
            return of(seen == null ? NOBODY : seen, null, 0);
        }

        static Holder of(LockState state) {
            boolean incompatible = state.value() == null;
            return of(
                    new AcquireReply.Contended(state.value(), state.ttlMillis(), incompatible, false),
                    state.owner(),
                    state.holds());
        }

        private static Holder of(AcquireReply.Contended seen, @Nullable String owner, int holds) {
            String value = seen.value();
            long ttlMillis = seen.ttlMillis();
            Optional<LockValue> ours = value == null ? Optional.empty() : LockValue.parse(value);
            long base = ours.map(LockValue::fenceBase).orElse(0L);
            return new Holder(
                    ours.map(LockValue::note).orElse(null),
                    ttlMillis >= 0 ? Duration.ofMillis(ttlMillis) : null,
                    ttlMillis == -1,
                    base == 0 ? null : Instant.EPOCH.plusNanos(TimeUnit.MICROSECONDS.toNanos(base)),
                    base == 0 ? OptionalLong.empty() : OptionalLong.of(Fence.token(base, 0)),
                    owner,
                    holds,
                    seen.incompatible());
        }

        String describe() {
            String who = incompatible
                    ? "held by an incompatible lock (the key is not a string)"
                    : note == null ? "held by another client" : "held by " + note;
            if (eternal) {
                return who + " with no TTL: nothing will free it but its holder or DEL";
            }
            return ttl == null ? who : who + ", free in " + ttl.toMillis() + " ms at the latest";
        }
    }
}
