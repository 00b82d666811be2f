// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.LockInfo;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** The locks as a table of 79 columns: holder, waiters and token from Redis, the rest from the histories. */
final class LiveTable {
    private final Board board;
    private final LongFunction<Optional<String>> nameOfLiving;
    private final LongFunction<String> nameOfHolder;

    /**
     * A table.
     *
     * @param nameOfLiving the worker with that process id, if it lives: the dead are listed as waiting for a while
     * @param nameOfHolder whatever is known of the process with that id
     */
    LiveTable(Board board, LongFunction<Optional<String>> nameOfLiving, LongFunction<String> nameOfHolder) {
        this.board = board;
        this.nameOfLiving = nameOfLiving;
        this.nameOfHolder = nameOfHolder;
    }

    List<String> lines(List<LockInfo> locks) {
        Stream<String> head =
                Stream.of("", row("LOCK", "HOLDER", "WAIT", "TTL ms", "FENCING TOKEN", "TAKEN", "P50 ms", "P99 ms"));
        Stream<String> foot = Stream.of("P50, P99: from a release to the grant of one who waited for it");
        return Stream.of(head, locks.stream().map(this::line), foot)
                .flatMap(lines -> lines)
                .toList();
    }

    private String line(LockInfo lock) {
        Optional<LockInfo.Holder> holder = Optional.ofNullable(lock.holder());
        Histogram handOvers = board.handOvers(lock.key());
        long waiting = lock.waiting().stream()
                .filter(note -> nameOfLiving.apply(pid(note)).isPresent())
                .count();
        return row(
                lock.key(),
                holder.map(LockInfo.Holder::note)
                        .map(note -> nameOfHolder.apply(pid(note)))
                        .orElse("-"),
                Long.toString(waiting),
                holder.map(LockInfo.Holder::ttl)
                        .map(Duration::toMillis)
                        .map(millis -> String.format(Locale.ROOT, "%,d", millis))
                        .orElse("-"),
                holder.map(LockInfo.Holder::fencingToken)
                        .filter(OptionalLong::isPresent) // none in a lock of another library
                        .map(OptionalLong::getAsLong)
                        .map(token -> Long.toString(token))
                        .orElse("-"),
                Format.count(board.acquisitions(lock.key())),
                HandOvers.millis(handOvers, 50),
                HandOvers.millis(handOvers, 99));
    }

    /** The process id in {@code host/pid}; 0 for a note of another kind. */
    private static long pid(String note) {
        try {
            return Long.parseLong(note.substring(note.lastIndexOf('/') + 1));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "%-8s %-16s %4s %6s %19s %7s %6s %6s", cells)
                .stripTrailing();
    }
}
