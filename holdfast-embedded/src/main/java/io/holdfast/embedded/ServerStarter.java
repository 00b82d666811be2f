// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;

/**
 * Starts a server and waits until it answers.
 *
 * <p>Between the choice of a free port and the server's listening there, somebody else may take it, possibly another
 * Redis that answers just as well. So an answer counts only if it comes from the process that was started, and a
 * server that finds its port taken is started again on the next one.
 */
final class ServerStarter {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_MILLIS = 5;
    private static final int ATTEMPTS = 10;
    private static final String PORT_TAKEN = "Address already in use";

    private ServerStarter() {}

    static RunningServer start(ServerOptions options, WorkFolder folder, IntUnaryOperator ports) {
        for (int attempt = 1; ; attempt++) {
            ServerOptions here = options.withPort(ports.applyAsInt(attempt));
            ServerProcess process = ServerProcess.spawn(folder, here.command(folder));
            try {
                return awaitAnswer(process, here, folder);
            } catch (IllegalStateException e) {
                process.kill();
                boolean mayMove = options.port() == 0 && attempt < ATTEMPTS;
                if (!mayMove || !folder.logTail().contains(PORT_TAKEN)) {
                    throw e;
                }
            }
        }
    }

    private static RunningServer awaitAnswer(ServerProcess process, ServerOptions options, WorkFolder folder) {
        long start = System.nanoTime();
        String last = "";
        try {
            while (System.nanoTime() - start < PATIENCE_NANOS) {
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
        throw failure(options, folder, "did not answer within 10 s (" + last + ")");
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
