// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What {@link InMemoryBackend} keeps under its keys. Guarded by the backend. */
abstract class Stored {
    long endsAt;
    boolean eternal;

    boolean isOver(long now) {
        return !eternal && endsAt - now <= 0;
    }

    /** What stands at a lock key. */
    static final class Value extends Stored {
        String text;

        Value(String text) {
            this.text = text;
        }
    }

    /** Which owner a value belongs to, and its holds: token by end. */
    static final class Owned extends Stored {
        final LockName name;
        String text;
        final String owner;
        final Map<String, Long> tokens = new HashMap<>();

        Owned(LockName name, String text, String owner) {
            this.name = name;
            this.text = text;
            this.owner = owner;
        }

        void keep(String token, long until) {
            tokens.merge(token, until, (before, asked) -> asked - before > 0 ? asked : before);
        }

        boolean has(String token, long now) {
            Long until = tokens.get(token);
            return until != null && until - now > 0;
        }

        boolean drop(String token, long now) {
            tokens.values().removeIf(until -> until - now <= 0); // holders that crashed
            return tokens.remove(token) != null;
        }

        long lastEnd() {
            return tokens.values().stream().reduce((a, b) -> a - b > 0 ? a : b).orElse(endsAt);
        }

        int count(long now) {
            return (int)
                    tokens.values().stream().filter(until -> until - now > 0).count();
        }
    }

    /** Who waits, first come first. */
    static final class Queue extends Stored {
        final LockName name;
        final List<String> entries = new ArrayList<>();

        Queue(LockName name) {
            this.name = name;
        }
    }
}
