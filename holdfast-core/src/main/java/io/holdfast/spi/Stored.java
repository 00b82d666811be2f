// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What {@link InMemoryBackend} keeps under its keys. Guarded by the backend. */
abstract class Stored {
    long endsAt;
    boolean eternal;

    boolean isOver(long now) {
        return !eternal && endsAt - now <= 0;
    }

    /** Whenever it would have ended. */
    void endAt(long instant) {
        eternal = false;
        endsAt = instant;
    }

    /** Never sooner than it would. */
    void lastUntil(long instant) {
        if (eternal || instant - endsAt > 0) {
            endAt(instant);
        }
    }

    /** Never later than it would. */
    void endBy(long instant) {
        if (eternal || instant - endsAt < 0) {
            endAt(instant);
        }
    }

    /** What stands at a lock key. */
    static final class Value extends Stored {
        private static final Pattern OURS = Pattern.compile("[\\w-]{34}\\.(\\d{1,9})~.*");
        private static final Pattern FENCE = Pattern.compile("#\\d+$");

        String text;

        Value(String text) {
            this.text = text;
        }

        boolean isOf(String token) {
            return text.equals(token) || text.startsWith(token + '#');
        }

        /** {@code #} and the fence base, or nothing. */
        String fenceMark() {
            Matcher fence = FENCE.matcher(text);
            return fence.find() ? fence.group() : "";
        }

        /** The longest life a value, or token, of ours may give its key; 0 for one of another library. */
        static long longestLife(String text) {
            Matcher ours = OURS.matcher(text);
            return ours.matches() ? Long.parseLong(ours.group(1)) : 0;
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
