// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.LockName;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The gates of this process, one for each lock that is waited for or kept; a lock nobody else wants has none. */
final class Gates {
    private final Engine engine;
    private final ConcurrentMap<Key, Gate> gates = new ConcurrentHashMap<>();

    Gates(Engine engine) {
        this.engine = engine;
    }

    /** Only leases on the same terms can be passed from hand to hand: another TTL, or no fence, is another gate. */
    record Key(LockName name, LeaseTerms terms) {
        @Override
        public int hashCode() {
            return name.key().hashCode(); // seldom do locks of one name differ in the rest, which takes longer to hash
        }
    }

    /** What lies idle here on the same terms, for a caller that has asked nobody yet; null when there is nothing. */
    @Nullable
    TokenLease lend(Wish wish) {
        LockOptions options = wish.options();
        if (gates.isEmpty() || !goThroughGate(options)) {
            return null;
        }
        Gate gate = gates.get(new Key(wish.name(), options.terms()));
        return gate == null ? null : gate.lend(wish);
    }

    /** Owners re-enter, and fair locks go by arrival at Redis: neither may queue behind others of the process. */
    static boolean goThroughGate(LockOptions options) {
        return !options.fair() && options.owner().isEmpty();
    }

    /** False when this acquisition is to ask Redis on its own. */
    boolean enter(Acquisition acquisition) {
        if (!acquisition.patience.staysInQueue()
                && acquisition.wish.options().retention().isZero()) {
            return false;
        }
        Key key = new Key(acquisition.wish.name(), acquisition.wish.options().terms());
        while (true) {
            Gate.Entry entry = gates.computeIfAbsent(key, this::create).enter(acquisition);
            if (entry != Gate.Entry.GONE) {
                return entry == Gate.Entry.IN;
            }
        }
    }

    private Gate create(Key key) {
        return new Gate(engine, key);
    }

    void remove(Key key, Gate gate) {
        gates.remove(key, gate);
    }

    int size() {
        return gates.size();
    }

    /** Gives up what is kept idle. */
    void close() {
        gates.values().forEach(Gate::giveUpUnused);
    }
}
