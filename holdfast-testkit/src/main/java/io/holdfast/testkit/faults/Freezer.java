// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;

/**
 * Stops a process (SIGSTOP) and lets it go on (SIGCONT). A shell of its own does both, and also when its input ends: if
 * whoever froze it is killed meanwhile, no process is left that is stopped for ever and deaf to everything.
 */
public final class Freezer implements AutoCloseable {
    private static final String SCRIPT =
            "trap '' INT HUP TERM; kill -s STOP \"$1\" || exit 1; echo stopped; read -r _; kill -s CONT \"$1\"";

    private final Process shell;

    private Freezer(Process shell) {
        this.shell = shell;
    }

    /**
     * Returns once the process has been sent SIGSTOP.
     *
     * @throws UncheckedIOException if there is no such process, or no shell
     */
    public static Freezer freeze(long pid) {
        try {
            Process shell = new ProcessBuilder("/bin/sh", "-c", SCRIPT, "holdfast-freezer", Long.toString(pid))
                    .redirectError(Redirect.DISCARD)
                    .start();
            if (shell.getInputStream().read() < 0) {
                throw new IOException("no such process: " + pid);
            }
            return new Freezer(shell);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot pause process " + pid + ": " + e.getMessage(), e);
        }
    }

    /** Lets the process go on. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
        } catch (IOException e) {
            return; // the shell is gone, and has done its work or could not
        }
    }
}
