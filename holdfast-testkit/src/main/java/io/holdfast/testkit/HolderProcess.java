// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.testkit.faults.Freezer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A holder in a JVM of its own, with the connector on this class path, that does as it is told; to be killed, or to be stopped
 * and let go on. It ends when the JVM that started it does.
 */
final class HolderProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Process process;
    private final Writer orders;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private HolderProcess(Process process) {
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "contract-holder");
        reader.setDaemon(true);
        reader.start();
    }

    /** Returns at once: what it is told first has to wait for the JVM. */
    static HolderProcess start(String uri) {
        try {
            return new HolderProcess(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Holder.class.getName(),
                            uri)
                    .redirectError(Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a JVM", e);
        }
    }

    /** Has it take a lock, renewed; the fencing token. */
    long hold(String key, Duration ttl) {
        tell("hold " + key + " " + ttl.toMillis());
        return Long.parseLong(heard("held"));
    }

    /** Has it look whether it holds the lock: it says {@code looked}, and true or false. */
    void look() {
        tell("look");
    }

    /** Has it write to a fenced value: it says {@code wrote}, and whether that was accepted. */
    void write(String row, String value) {
        tell("write " + row + " " + value);
    }

    /** What it says, or has said, behind that word. A loss it tells by itself: {@code lost}, and the reason. */
    String heard(String word) {
        return Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> firstLine(word), Objects::nonNull)
                .substring(word.length() + 1);
    }

    private @Nullable String firstLine(String word) {
        return lines.stream()
                .filter(line -> line.startsWith(word + " "))
                .findFirst()
                .orElse(null);
    }

    /** Ends it (SIGKILL); when that was, in ns. */
    long kill() {
        process.destroyForcibly();
        return System.nanoTime();
    }

    /** Stops it (SIGSTOP) until that is closed. */
    Freezer stop() {
        return Freezer.freeze(process.pid());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void tell(String order) {
        try {
            orders.write(order + "\n");
            orders.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the holder does not listen any more", e);
        }
    }

    private void read() {
        try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
            in.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            // it was killed
        }
    }

    /** What runs in the other JVM. */
    static final class Holder {
        private final Holdfast locks;
        private @Nullable Lease lease;

        private Holder(String uri) {
            locks = Holdfast.connect(uri);
        }

        public static void main(String[] args) throws IOException {
            Holder holder = new Holder(args[0]);
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                holder.obey(line.split(" ", -1));
            }
            Runtime.getRuntime().halt(0); // nobody is left to release a lock for
        }

        private void obey(String[] words) {
            switch (words[0]) {
                case "hold" -> hold(words[1], Duration.ofMillis(Long.parseLong(words[2])));
                case "look" -> say("looked " + held().isHeld());
                case "write" -> say("wrote " + locks.fencedStore().set(words[1], words[2], held().fencingToken()));
                default -> throw new IllegalArgumentException(words[0]);
            }
        }

        private void hold(String key, Duration ttl) {
            lease = locks.lock(key, options -> options.ttl(ttl).renew(true)).acquire(Duration.ofSeconds(10));
            lease.onLost(reason -> say("lost " + reason));
            say("held " + lease.fencingToken());
        }

        private Lease held() {
            return Objects.requireNonNull(lease, "nothing was taken yet");
        }

        private static void say(String line) {
            System.out.println(line);
        }
    }
}
