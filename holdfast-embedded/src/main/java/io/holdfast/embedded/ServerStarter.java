// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;

/**
 * Starts a server and waits until it answers.
 *
 * <p>Between the choice of a free port and the server's listening there, somebody else may take it, possibly another
 * Redis that answers just as well. So an answer counts only if it comes from the process that was started, and a
 * server that finds its port taken is started again on the next one.
 */
final class ServerStarter {
    static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long POLL_MILLIS = 5;
    private static final int ATTEMPTS = 10;
    /** As glibc and as musl, with which the shipped server is built, put it. */
    private static final Pattern PORT_TAKEN = Pattern.compile("Address (already )?in use");

    private ServerStarter() {}

    static RunningServer start(ServerOptions options, WorkFolder folder, IntUnaryOperator ports, Duration patience) {
        for (int attempt = 1; ; attempt++) {
            ServerOptions here = options.withPort(ports.applyAsInt(attempt));
            ServerProcess process = ServerProcess.spawn(folder, here.command(folder));
            try {
                return awaitAnswer(process, here, folder, patience);
            } catch (IllegalStateException e) {
                process.kill();
                boolean mayMove = options.port() == 0 && attempt < ATTEMPTS;
                if (!mayMove || !PORT_TAKEN.matcher(folder.logTail()).find()) {
                    throw e;
                }
            }
        }
    }

    private static RunningServer awaitAnswer(
            ServerProcess process, ServerOptions options, WorkFolder folder, Duration patience) {
        long start = System.nanoTime();
        String last = "";
        try {
            while (System.nanoTime() - start < patience.toNanos()) {
                Optional<Integer> status = process.exitWithin(POLL_MILLIS);
                if (status.isPresent()) {
                    throw failure(options, folder, "exited with status " + status.get());
                }
                try {
                    return new RunningServer(process, options.port(), versionIfAnsweredBy(process, options));
                } catch (IOException e) {
                    last = e.getMessage();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure(options, folder, "was given up because the starting thread was interrupted");
        }
        throw failure(options, folder, "did not answer within " + patience.toMillis() + " ms (" + last + ")");
    }

    private static String versionIfAnsweredBy(ServerProcess process, ServerOptions options) throws IOException {
        ServerProbe.Identity answer = ServerProbe.ask(options);
        if (answer.pid() != process.pid()) {
            throw new IOException("process " + answer.pid() + " answers instead of " + process.pid()
                    + "; a script must exec the server");
        }
        return answer.version();
    }

    private static IllegalStateException failure(ServerOptions options, WorkFolder folder, String what) {
        String output = folder.logTail();
        if (options.password() != null) {
            output = output.replace(options.password(), "***");
        }
        return new IllegalStateException("The server " + options + " " + what
                + (output.isEmpty() ? "; it printed nothing." : ". Its last output:\n" + output));
    }
}
