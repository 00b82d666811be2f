// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.torture;

import io.holdfast.testkit.history.Fault;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a torture run does to its workers, its network and its server. Each stands for a {@link Fault} of the history, which says
 * what of the promise is excused while it lasts; one that stands for none excuses nothing.
 */
enum Ordeal {
    KILL_WORKER("a worker is killed, and another one starts", 0, 0, null),
    PAUSE_WORKER("a worker is stopped, and goes on", 200, 4_500, null),
    PAUSE_SERVER("the server is stopped, and goes on", 100, 4_000, Fault.SERVER_PAUSED),
    PAUSE_WRITES("the server answers no writes (CLIENT PAUSE)", 100, 3_000, Fault.WRITES_REFUSED),
    KILL_CONNECTIONS("the server closes all connections", 0, 0, Fault.CONNECTIONS_CUT),
    KILL_SUBSCRIPTIONS("the server closes all subscriptions", 0, 0, Fault.MESSAGES_LOST),
    SLOW_NETWORK("everything takes up to a quarter of a second", 500, 4_000, Fault.SLOW),
    HALF_OPEN("connections stay open, and nothing gets through", 200, 4_000, Fault.PARTITIONED),
    RESET("all connections are reset", 0, 0, Fault.CONNECTIONS_CUT),
    CUT("the network is cut", 100, 4_000, Fault.PARTITIONED),
    SWALLOW_REPLIES("replies are lost, and their connections with them", 500, 3_000, Fault.REPLIES_LOST),
    LATE_COMMANDS("commands arrive after their sender has given up", 500, 3_000, Fault.REPLIES_LOST),
    FLUSH_SCRIPTS("the server forgets all scripts", 0, 0, Fault.SCRIPTS_FLUSHED),
    FULL_MEMORY("the server is out of memory", 200, 3_000, Fault.WRITES_REFUSED),
    READ_ONLY("the server is a replica, and refuses to write", 200, 3_000, Fault.WRITES_REFUSED),
    BUSY("the server is busy with a script that does not end", 300, 3_000, Fault.NOT_READY),
    MAX_CLIENTS("the server closes all connections, and refuses new ones", 200, 3_000, Fault.NOT_READY),
    RESTART("the server is killed, and comes back with its data", 0, 1_500, Fault.RESTARTED),
    DELETE_LOCKS("somebody deletes the locks", 0, 0, null),
    FLUSH_DATA("somebody deletes everything", 0, 0, null),
    RESTART_EMPTY("the server is killed, and comes back without its data", 0, 0, Fault.RESTARTED_WITHOUT_DATA),
    LOSE_TAIL("the server is killed, and comes back without its last writes", 0, 0, Fault.RESTARTED_WITH_OLD_DATA);

    private final String words;
    private final int shortestMillis;
    private final int longestMillis;
    private final @Nullable Fault fault;

    Ordeal(String words, int shortestMillis, int longestMillis, @Nullable Fault fault) {
        this.words = words;
        this.shortestMillis = shortestMillis;
        this.longestMillis = longestMillis;
        this.fault = fault;
    }

    /** What it is called on the command line. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What happens, as a sentence without its end. */
    String words() {
        return words;
    }

    int shortestMillis() {
        return shortestMillis;
    }

    int longestMillis() {
        return longestMillis;
    }

    /** What the history calls it; null where nothing is excused, or what was removed says it all. */
    @Nullable
    Fault fault() {
        return fault;
    }

    static Optional<Ordeal> byLabel(String label) {
        return Arrays.stream(values())
                .filter(ordeal -> ordeal.label().equals(label))
                .findFirst();
    }

    static List<Ordeal> all() {
        return List.of(values());
    }

    /** All names, for a message. */
    static String labels() {
        return all().stream().map(Ordeal::label).collect(Collectors.joining(", "));
    }
}
