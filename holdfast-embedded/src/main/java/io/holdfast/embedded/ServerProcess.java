// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server and the shell that ends it with the JVM.
 *
 * <p><b>Why a shell.</b> A JVM that is killed runs no shutdown hook. What the system does do is close its end of a
 * pipe. So the server is the child of a small supervising shell whose standard input is such a pipe, and end of input
 * means that the JVM is gone, or wants the server gone.
 *
 * <p><b>How it works.</b> The shell waits for the server; a watcher, forked from it, waits for the end of input with
 * the shell's own {@code read}, so that there is no further program to leave behind. If the server dies first, the
 * watcher is dismissed and the folder stays, for its log. If the input ends first, the watcher kills the server and
 * the shell deletes the folder. From that moment the watcher ignores its dismissal, which makes its exit status tell
 * the two cases apart. The shell reaps both, so there are no zombies.
 *
 * <p><b>Signals.</b> Where {@code setsid} exists, all three leave the JVM's process group. A Ctrl-C then reaches the
 * JVM alone, whose shutdown hooks still find the server; and a signal to the whole group cannot take the supervisor
 * and spare the server. If the supervising shell itself is killed, the watcher is still on duty.
 */
final class ServerProcess {
    private static final String SHELL = "/bin/sh";
    private static final String SUPERVISOR = """
            folder=$1; shift
            trap '' INT HUP
            exec 3<&0 </dev/null
            "$@" 3<&- >%s 2>&1 &
            server=$!
            (read -r _ <&3; trap '' TERM; kill -9 $server) >/dev/null &
            watcher=$!
            exec 3<&-
            echo $server
            exec >/dev/null
            wait $server
            status=$?
            kill $watcher
            wait $watcher && cd / && rm -rf "$folder"
            exit $status
            """.formatted(WorkFolder.LOG);

    private static final long PATIENCE_SECONDS = 5;

    private final Process supervisor;
    private final long pid;
    /** Empty if the server was dead before anybody could look. */
    private final Optional<ProcessHandle> server;

    private ServerProcess(Process supervisor, long pid) {
        this.supervisor = supervisor;
        this.pid = pid;
        this.server = ProcessHandle.of(pid);
    }

    static ServerProcess spawn(WorkFolder folder, List<String> command) {
        if (!Files.isExecutable(Path.of(SHELL))) {
            throw new IllegalStateException(
                    "EmbeddedRedis needs " + SHELL + ", which " + Platform.current() + " lacks");
        }
        List<String> line = new ArrayList<>();
        Stream.of("/usr/bin/setsid", "/bin/setsid")
                .filter(candidate -> Files.isExecutable(Path.of(candidate)))
                .findFirst()
                .ifPresent(line::add);
        line.addAll(List.of(
                SHELL, "-c", SUPERVISOR, "holdfast-supervisor", folder.path().toString()));
        line.addAll(command);
        try {
            Process supervisor = new ProcessBuilder(line)
                    .directory(folder.path().toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new ServerProcess(supervisor, readPid(supervisor));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + SHELL, e);
        }
    }

    private static long readPid(Process supervisor) throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(supervisor.getInputStream(), StandardCharsets.US_ASCII));
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the supervising shell ended at once");
        }
        return Long.parseLong(line.strip());
    }

    long pid() {
        return pid;
    }

    boolean isRunning() {
        return server.map(ProcessHandle::isAlive).orElse(false);
    }

    /** Waits for the server to exit by itself; its status, or empty if it is still there. */
    Optional<Integer> exitWithin(long millis) throws InterruptedException {
        return supervisor.waitFor(millis, TimeUnit.MILLISECONDS)
                ? Optional.of(supervisor.exitValue())
                : Optional.empty();
    }

    void signal(String name) {
        if (!isRunning()) {
            throw new IllegalStateException("the server (pid " + pid + ") is not running");
        }
        try {
            Process kill = new ProcessBuilder(SHELL, "-c", "kill -s " + name + " " + pid)
                    .redirectErrorStream(true)
                    .start();
            if (kill.onExit().join().exitValue() != 0) {
                throw new IllegalStateException("cannot send SIG" + name + " to the server (pid " + pid + ")");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + SHELL, e);
        }
    }

    /** Kills the server, and what it forked, and leaves its folder. */
    void kill() {
        server.ifPresent(handle -> {
            List<ProcessHandle> forked = handle.descendants().toList();
            handle.destroyForcibly();
            forked.forEach(ProcessHandle::destroyForcibly);
        });
        awaitEnd();
    }

    /** Tells the supervisor to kill the server and delete its folder, and waits until it has. */
    void stop() {
        try {
            supervisor.getOutputStream().close();
        } catch (IOException e) {
            // Nobody reads that pipe any more, which is what closing it is for.
            server.ifPresent(ProcessHandle::destroyForcibly);
        }
        awaitEnd();
        if (isRunning()) {
            kill();
        }
    }

    /** Not interruptible: an interrupted thread that closes a server must not leave it behind. */
    private void awaitEnd() {
        supervisor
                .onExit()
                .completeOnTimeout(supervisor, PATIENCE_SECONDS, TimeUnit.SECONDS)
                .join();
        server.filter(ProcessHandle::isAlive)
                .ifPresent(orphan -> orphan.onExit()
                        .completeOnTimeout(orphan, PATIENCE_SECONDS, TimeUnit.SECONDS)
                        .join());
    }
}
