// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What input is accepted. Every message names the thing, the rule and what was given. */
final class Limits {
    private static final Duration SHORTEST_TTL = Duration.ofMillis(1);
    private static final Duration LONGEST_TTL = Duration.ofHours(24);
    private static final Duration SHORTEST_RETRY = Duration.ofMillis(10);
    private static final Duration LONGEST_RETRY = Duration.ofHours(24);
    private static final int LONGEST_KEY_BYTES = 512;

    private Limits() {}

    /** Callers outside null-checked code do pass null; the message names the argument. */
    @SuppressWarnings("ConstantValue")
    static <T> T given(String what, T value) {
        if (value == null) {
            throw new NullPointerException(what + " must not be null");
        }
        return value;
    }

    /** A TTL reaches Redis as whole milliseconds: {@code PEXPIRE key 0} would delete a lock, 9e18 make it eternal. */
    static Duration ttl(String what, Duration value) {
        if (given(what, value).compareTo(SHORTEST_TTL) < 0 || value.compareTo(LONGEST_TTL) > 0) {
            throw new IllegalArgumentException(what + " must be 1 ms to 24 h, was " + value);
        }
        return value;
    }

    static Duration notNegative(String what, Duration value) {
        if (given(what, value).isNegative()) {
            throw new IllegalArgumentException(what + " must not be negative, was " + value);
        }
        return value;
    }

    static Duration positive(String what, Duration value) {
        if (given(what, value).isNegative() || value.isZero()) {
            throw new IllegalArgumentException(what + " must be positive, was " + value);
        }
        return value;
    }

    /** The tolerance is checked once more together with the TTL; here so that the sum can't overflow. */
    static Duration tolerance(Duration value) {
        if (notNegative("tolerance", value).compareTo(LONGEST_TTL) > 0) {
            throw new IllegalArgumentException("tolerance must be at most 24 h, was " + value);
        }
        return value;
    }

    /** Shorter than a millisecond would keep a client busy with nothing but renewing. */
    static Duration renewInterval(Duration value) {
        if (given("renewEvery", value).compareTo(SHORTEST_TTL) < 0) {
            throw new IllegalArgumentException("renewEvery must be at least 1 ms, was " + value);
        }
        return value;
    }

    static Duration retryInterval(Duration value) {
        if (positive("retryInterval", value).compareTo(LONGEST_RETRY) > 0) {
            throw new IllegalArgumentException("retryInterval must be at most 24 h, was " + value);
        }
        return value.compareTo(SHORTEST_RETRY) < 0 ? SHORTEST_RETRY : value;
    }

    static int atLeast(String what, int least, int value) {
        if (value < least || value == Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    what + " must be " + least + " to " + (Integer.MAX_VALUE - 1) + ", was " + value);
        }
        return value;
    }

    static double share(String what, double value, double least, double most) {
        if (!(value >= least && value <= most)) {
            throw new IllegalArgumentException(what + " must be " + least + " to " + most + ", was " + value);
        }
        return value;
    }

    static String notBlank(String what, String value) {
        if (given(what, value).isBlank()) {
            throw new IllegalArgumentException(what + " must not be blank");
        }
        return value;
    }

    @SuppressWarnings("ConstantValue") // as above
    static String ownerId(String value) {
        if (value == null) {
            throw new IllegalArgumentException("owner id is null; leave owner() out for a lock without one");
        }
        return name("owner id", value);
    }

    /** A part of every key; may be empty. */
    static String keyPart(String what, String value) {
        return given(what, value).isEmpty() ? value : name(what, value);
    }

    @SuppressWarnings("ConstantValue") // as above
    static String key(String value) {
        if (value == null) {
            throw new IllegalArgumentException("lock key is null; give it the id it is to protect, e.g. order:42");
        }
        return name("lock key", value);
    }

    /** A missing id must not become a value that all writers share. */
    @SuppressWarnings("ConstantValue") // as above
    static String fencedKey(String value) {
        if (value == null) {
            throw new IllegalArgumentException("fenced key is null; give it the id of its value, e.g. balance:42");
        }
        return name("fenced key", value);
    }

    private static String name(String what, String value) {
        notBlank(what, value);
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > LONGEST_KEY_BYTES) {
            throw new IllegalArgumentException(
                    what + " must be at most " + LONGEST_KEY_BYTES + " bytes of UTF-8, was " + bytes);
        }
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                throw new IllegalArgumentException(
                        what + " has a control character (code " + (int) value.charAt(i) + ") at index " + i);
            }
        }
        return value;
    }

    /** Nanoseconds of a duration however long; about 292 years stand for ever. */
    static long nanos(Duration value) {
        try {
            return value.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    static void keyLife(Duration ttl, @Nullable Duration maxTtl, Duration tolerance) {
        ttl("ttl + tolerance", ttl.plus(tolerance));
        if (maxTtl != null) {
            ttl("maxTtl + tolerance", maxTtl.plus(tolerance));
        }
    }

    static void renewEvery(Duration renewEvery, Duration ttl) {
        if (renewEvery.compareTo(ttl) >= 0) {
            throw new IllegalArgumentException(
                    "renewEvery must be shorter than the ttl " + ttl + ", was " + renewEvery);
        }
    }

    static void retention(Duration retention, Duration ttl, boolean fair) {
        if (retention.compareTo(ttl) >= 0) {
            throw new IllegalArgumentException("retain must be shorter than the ttl " + ttl + ", was " + retention);
        }
        if (fair && !retention.isZero()) {
            throw new IllegalArgumentException("a fair lock can't be retained: others may have arrived before");
        }
    }
}
