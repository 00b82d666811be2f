// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.spi.RedisAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.logging.LogManager;

/**
 * A process that plays turns as its parent tells it, and ends with its parent: when nobody is left at the other end of its
 * standard input.
 *
 * <p>It is asked {@code <scenario> <contender>}, answers {@code ready} when all its threads are connected, follows the
 * board, and answers {@code done <share>} or {@code failed <why>}.
 */
final class Worker {
    static final String READY = "ready";
    static final String DONE = "done ";
    static final String FAILED = "failed ";

    private final RedisAddress server;
    private final Board board;

    private Worker(RedisAddress server, Board board) {
        this.server = server;
        this.board = board;
    }

    /** The server's URI and the board's file. */
    public static void main(String[] args) throws IOException {
        LogManager.getLogManager().reset(); // a client that is closed under load complains, and nobody is to blame
        ChildJvm.endWithParent(new Worker(RedisAddress.parse(args[0]), Board.in(Path.of(args[1])))::play);
    }

    private void play(String order) {
        String[] words = order.split(" ", -1);
        System.out.println(turn(Scenario.named(words[0]), Entry.named(words[1])));
    }

    private String turn(Scenario scenario, Entry entry) {
        try (Contender contender = entry.open(server)) {
            Crew crew = Crew.assemble(contender, scenario, board);
            System.out.println(READY);
            return DONE + crew.disband().toLine();
        } catch (InterruptedException | RuntimeException e) {
            return FAILED + String.valueOf(e).lines().findFirst().orElse("");
        }
    }
}
