// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import io.holdfast.benchmarks.Board.Phase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The worker processes of a run and the board they share. They live as long as the run and play every contender's turns, so
 * that all run on equally warm JVMs; each turn opens a client and closes it again, so that none works beside another.
 */
final class Team implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final String uri;
    private final List<String> jvmOptions;
    private final ServerView view;
    private final Path file;
    private final Board board;
    private final List<ChildJvm> workers = new ArrayList<>();
    private final ClientCommands clientCommands = new ClientCommands();

    Team(String uri, ServerView view, List<String> jvmOptions) {
        this.uri = uri;
        this.jvmOptions = jvmOptions;
        this.view = view;
        try {
            this.file = Files.createTempFile("holdfast-bench", ".board");
            this.file.toFile().deleteOnExit();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot share memory", e);
        }
        this.board = Board.in(file);
    }

    /**
     * Plays one turn: all connected, all warmed up, then one common window.
     *
     * @throws IllegalStateException when the contender failed; the team is then ready for the next
     */
    Turn play(Scenario scenario, Entry entry, Pace pace) {
        while (workers.size() < scenario.processes()) {
            workers.add(ChildJvm.start(Worker.class, jvmOptions, List.of(uri, file.toString())));
        }
        try {
            return play(workers.subList(0, scenario.processes()), scenario + " " + entry, entry, pace);
        } catch (RuntimeException e) {
            dismiss(); // somebody may still wait for a lock, or for a word
            throw e;
        }
    }

    private Turn play(List<ChildJvm> players, String order, Entry entry, Pace pace) {
        view.clear();
        board.clear();
        players.forEach(player -> player.tell(order));
        players.forEach(player -> expect(player, Worker.READY));
        board.phase(Phase.WARM_UP);
        listen(entry, pace.warmUp().dividedBy(2));
        pause(pace.warmUp().dividedBy(2));
        Turn.Window window = measure(entry, pace.turn());
        List<Share> shares = new ArrayList<>();
        players.forEach(player -> shares.add(Share.fromLine(expect(player, Worker.DONE))));
        return Turn.of(shares, window, board.overlaps());
    }

    /**
     * How long things take.
     *
     * @param warmUp of each turn
     * @param turn the measured window
     */
    record Pace(Duration warmUp, Duration turn) {}

    private void listen(Entry entry, Duration length) {
        try (CommandTap tap = view.tap()) {
            pause(length);
            clientCommands.learn(entry, tap.stop());
        }
    }

    /** The server is asked just before the window opens and just before it closes: what that misses, it also adds. */
    private Turn.Window measure(Entry entry, Duration length) {
        Map<String, Long> calls = view.calls();
        double cpu = view.cpuMicros();
        long startedAt = System.nanoTime();
        board.phase(Phase.MEASURE);
        pause(length);
        double commands = clientCommands.between(entry, calls, view.calls());
        cpu = view.cpuMicros() - cpu;
        board.phase(Phase.STOP);
        return new Turn.Window((System.nanoTime() - startedAt) / 1e9, commands, cpu);
    }

    private static String expect(ChildJvm player, String start) {
        String answer = player.answer(PATIENCE);
        if (!answer.startsWith(start)) {
            throw new IllegalStateException(answer);
        }
        return answer.substring(start.length());
    }

    /** Ends all workers; the next turn starts new ones. */
    void dismiss() {
        workers.forEach(ChildJvm::close);
        workers.clear();
    }

    private static void pause(Duration length) {
        try {
            TimeUnit.NANOSECONDS.sleep(length.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        dismiss();
        if (!file.toFile().delete()) {
            return; // deleteOnExit has another try
        }
    }
}
