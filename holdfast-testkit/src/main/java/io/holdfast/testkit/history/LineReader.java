// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.history;

import io.holdfast.testkit.history.Event.Kind;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads one line of a history, word by word; there are millions of them, so no word becomes an object without need. */
final class LineReader {
    private static final Map<String, Kind> KINDS = Stream.of(Kind.values())
            .collect(Collectors.toUnmodifiableMap(kind -> kind.name().toLowerCase(Locale.ROOT), Function.identity()));

    private final String line;
    private int from;

    LineReader(String line) {
        this.line = line;
    }

    Event event() {
        Event event = new Event(number(), kind(), number(), number(), word(), number(), number());
        if (from <= line.length()) {
            throw new IllegalArgumentException("not a history record: " + line);
        }
        return event;
    }

    private long number() {
        int start = from;
        return Long.parseLong(line, start, end(), 10);
    }

    private Kind kind() {
        Kind kind = KINDS.get(word());
        if (kind == null) {
            throw new IllegalArgumentException("not a kind of history record: " + line);
        }
        return kind;
    }

    private String word() {
        int start = from;
        return line.substring(start, end());
    }

    /** The end of the word that begins here; what comes next begins behind it. */
    private int end() {
        if (from > line.length()) {
            throw new IllegalArgumentException("not a history record: " + line);
        }
        int blank = line.indexOf(' ', from);
        int end = blank < 0 ? line.length() : blank;
        from = end + 1;
        return end;
    }
}
