// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntUnaryOperator;

/**
 * A running Redis or Valkey server that belongs to this JVM: it listens on the loopback interface, keeps its files in
 * a temporary folder and ends with the JVM, also when the JVM is killed. On a normal exit it stays up until the last
 * shutdown hook has finished, so that an application can still release what it holds.
 *
 * <p>Thread-safe. Every method that changes the server blocks until the change is done.
 */
public final class EmbeddedRedis implements AutoCloseable {
    private final ServerOptions options;
    private final WorkFolder folder;
    private final Thread sweeper;
    private final ReentrantLock lifecycle = new ReentrantLock();
    private volatile RunningServer current;
    private volatile boolean closed;

    private EmbeddedRedis(ServerOptions options, WorkFolder folder, RunningServer first) {
        this.options = options.withPort(first.port());
        this.folder = folder;
        this.current = first;
        // A live server is left to its supervisor, which acts after the other hooks; a dead one has no supervisor
        // any more, and its folder would stay behind. The hook also keeps this object, and with it the supervisor's
        // pipe, from being garbage collected while the application holds no more than the address.
        this.sweeper = new Thread(this::sweep, "holdfast-embedded-sweeper");
    }

    /**
     * Starts a server with the default options and returns once it answers.
     *
     * @throws IllegalStateException if there is no server for this platform or it does not come up within 10 s
     */
    public static EmbeddedRedis start() {
        return builder().start();
    }

    /** Options for a server: which executable, port, address, password and settings. */
    public static EmbeddedRedisBuilder builder() {
        return new EmbeddedRedisBuilder();
    }

    static EmbeddedRedis start(ServerOptions options, IntUnaryOperator ports) {
        WorkFolder folder = WorkFolder.create();
        try {
            EmbeddedRedis redis = new EmbeddedRedis(
                    options, folder, ServerStarter.start(options, folder, ports, ServerStarter.PATIENCE));
            Runtime.getRuntime().addShutdownHook(redis.sweeper);
            return redis;
        } catch (RuntimeException e) {
            folder.delete();
            throw e;
        }
    }

    /** The address for a client, such as {@code redis://127.0.0.1:20123}; carries the password if there is one. */
    public String uri() {
        return options.uri(options.encodedPassword());
    }

    /** The address a client on this machine connects to. */
    public String host() {
        return options.host();
    }

    /** The TCP port; the same for the life of this object, restarts included. */
    public int port() {
        return options.port();
    }

    /** Process id of the server itself; after a {@link #kill()} that of the server that was killed. */
    public long pid() {
        return current.process().pid();
    }

    /** Product and version as the server reports them, such as {@code redis 7.0.15} or {@code valkey 9.1.2}. */
    public String version() {
        return current.version();
    }

    /** Whether the server process exists; a paused server is running. */
    public boolean isRunning() {
        return current.process().isRunning();
    }

    /**
     * Freezes the server (SIGSTOP): connections stay open and nothing is answered until {@link #resume()}.
     *
     * @throws IllegalStateException if the server is not running
     */
    public void pause() {
        exclusively(() -> current.process().signal("STOP"));
    }

    /**
     * Lets a paused server go on (SIGCONT); no effect on one that is not paused.
     *
     * @throws IllegalStateException if the server is not running
     */
    public void resume() {
        exclusively(() -> current.process().signal("CONT"));
    }

    /** Kills the server (SIGKILL) as a crash would; {@link #restart()} brings it back. No effect on a dead server. */
    public void kill() {
        exclusively(() -> current.process().kill());
    }

    /**
     * Starts the server again on the same port and in the same folder, killing it first if it runs. Without
     * persistence settings it comes back empty.
     *
     * @throws IllegalStateException if closed, if the port was taken meanwhile, or if the server does not come up
     */
    public void restart() {
        exclusively(() -> {
            if (closed) {
                throw new IllegalStateException("closed: " + this);
            }
            current.process().kill();
            current = ServerStarter.start(options, folder, attempt -> options.port(), ServerStarter.PATIENCE);
        });
    }

    /** Kills the server and deletes its folder. May be called more than once. */
    @Override
    public void close() {
        exclusively(() -> {
            if (!closed) {
                closed = true;
                current.process().stop();
                folder.delete();
                forgetSweeper();
            }
        });
    }

    /** For logs: version, address and process id, the password replaced by {@code ***}. */
    @Override
    public String toString() {
        return "EmbeddedRedis[" + version() + ", " + options.redactedUri() + ", pid " + pid() + "]";
    }

    private void sweep() {
        if (!isRunning()) {
            folder.delete();
        }
    }

    private void forgetSweeper() {
        try {
            Runtime.getRuntime().removeShutdownHook(sweeper);
        } catch (IllegalStateException e) {
            // The JVM is shutting down and hooks are fixed: the sweeper will find nothing left to delete.
            return;
        }
    }

    private void exclusively(Runnable change) {
        lifecycle.lock();
        try {
            change.run();
        } finally {
            lifecycle.unlock();
        }
    }
}
