// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

import io.holdfast.Lease;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The leases of the methods that each thread is in, innermost first. */
public final class CurrentLeases {
    private static final ThreadLocal<@Nullable CurrentLeases> CURRENT = new ThreadLocal<>();

    private final Held held;
    private final @Nullable CurrentLeases outer;

    private CurrentLeases(Held held, @Nullable CurrentLeases outer) {
        this.held = held;
        this.outer = outer;
    }

    /** Those of the innermost method, as declared; none outside of any. */
    public static List<Lease> innermost() {
        CurrentLeases current = CURRENT.get();
        return current == null ? List.of() : current.held.leases();
    }

    /** Those of the innermost method, for a weaver that wants them longer than the method does. */
    public static Optional<Held> held() {
        return Optional.ofNullable(CURRENT.get()).map(current -> current.held);
    }

    /** The lease of that lock in the innermost method that has it. */
    public static Optional<Lease> of(String key) {
        for (CurrentLeases at = CURRENT.get(); at != null; at = at.outer) {
            for (Lease lease : at.held.leases()) {
                if (lease.key().equals(key)) {
                    return Optional.of(lease);
                }
            }
        }
        return Optional.empty();
    }

    /** Enters a method; {@link #leave} it in finally. */
    static CurrentLeases enter(Held held) {
        CurrentLeases entered = new CurrentLeases(held, CURRENT.get());
        CURRENT.set(entered);
        return entered;
    }

    void leave() {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }
}
