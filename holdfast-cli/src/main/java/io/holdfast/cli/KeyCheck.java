// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.spi.RedisReplyException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Looks for keys of Holdfast that live for ever or longer than they may, as after a {@code PERSIST} or when the server's
 * clock stepped back. A walk with {@code SCAN} that ends early on a large server, and says so.
 */
final class KeyCheck {
    private static final int MOST_PAGES = 1_000;
    private static final int MOST_KEYS = 1_000;
    private static final String PAGE = "1000";
    private static final long QUEUE_LIFE_MILLIS = 60_000;
    /** The value of a lock of ours, and the longest life it may give its key. */
    private static final Pattern OURS = Pattern.compile("[\\w-]{34}\\.(\\d{1,9})~.*", Pattern.DOTALL);

    private final Patient patient;
    private int pages;
    private int seen;
    private boolean capped;
    private final List<String> eternal = new ArrayList<>();
    private final List<String> overlong = new ArrayList<>();
    private final List<String> foreign = new ArrayList<>();

    KeyCheck(Patient patient) {
        this.patient = patient;
    }

    Finding look() {
        for (String pattern : patient.keyPattern().split(" ", -1)) {
            scan(pattern.substring(1));
        }
        String scope = Format.count(seen, "key") + " of locks looked at"
                + (capped ? "; there are more, this is where the doctor stops" : "");
        List<String> wrong = new ArrayList<>();
        name(wrong, eternal, "without a TTL");
        name(wrong, overlong, "with a TTL longer than allowed (the server's clock stepped back?)");
        name(wrong, foreign, "without a TTL and not Holdfast's, which nothing frees");
        if (wrong.isEmpty()) {
            return Finding.ok("keys", scope);
        }
        String remedy = foreign.isEmpty()
                ? "nothing, if the lock is in use: its next contender cuts the TTL; else DEL the key"
                : "ask who set it; DEL the key if nobody needs it";
        return Finding.warn("keys", String.join("; ", wrong) + "; " + scope, remedy);
    }

    private static void name(List<String> wrong, List<String> keys, String what) {
        if (!keys.isEmpty()) {
            wrong.add(Format.count(keys.size()) + " " + what + ", e.g. " + keys.get(0));
        }
    }

    private void scan(String pattern) {
        String escaped = pattern.substring(0, pattern.length() - 1).replaceAll("([\\\\*?\\[\\]^])", "\\\\$1") + "*";
        String cursor = "0";
        do {
            if (!(patient.ask("SCAN", cursor, "MATCH", escaped, "COUNT", PAGE) instanceof List<?> page)
                    || !(page.get(1) instanceof List<?> keys)) {
                return;
            }
            cursor = String.valueOf(page.get(0));
            for (Object key : keys) {
                look(String.valueOf(key));
            }
            pages++;
            capped |= seen >= MOST_KEYS || pages >= MOST_PAGES;
        } while (!cursor.equals("0") && !capped);
    }

    private void look(String key) {
        String word =
                key.startsWith(companion("")) ? key.substring(companion("").length()) : "";
        boolean companion = word.startsWith("queue:") || word.startsWith("owner:") || word.startsWith("holds:");
        boolean lock = key.startsWith(patient.name().lockPrefix());
        if (companion || lock) {
            seen++;
            if (lock) {
                lock(key);
            } else {
                companion(key, word.startsWith("queue:") ? QUEUE_LIFE_MILLIS : Long.MAX_VALUE);
            }
        }
    }

    private String companion(String word) {
        return patient.name().companionPrefix() + ":" + word;
    }

    private void companion(String key, long most) {
        long left = left(key);
        if (left == -1) {
            eternal.add(key);
        } else if (left > most) {
            overlong.add(key);
        }
    }

    private void lock(String key) {
        String value = value(key);
        long left = left(key);
        Matcher ours = OURS.matcher(value == null ? "" : value);
        boolean isOurs = ours.matches();
        boolean wrong = left == -1 || (isOurs && left > Long.parseLong(ours.group(1)));
        if (!wrong || !Objects.equals(value, value(key))) { // it changed hands between the questions
            return;
        }
        (isOurs ? left == -1 ? eternal : overlong : foreign).add(key);
    }

    private long left(String key) {
        return patient.ask("PTTL", key) instanceof Long millis ? millis : -2;
    }

    /** Null for a key of another type, or none. */
    private @Nullable String value(String key) {
        try {
            return patient.ask("GET", key) instanceof String text ? text : null;
        } catch (RedisReplyException e) {
            return null;
        }
    }
}
