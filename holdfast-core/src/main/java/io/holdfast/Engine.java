// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.InMemoryBackend;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.MonotonicClock;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts every lock of one {@link Holdfast} shares: clock, timer, threads, backend, keeper and cleaner. All threads are
 * daemons and start when first needed.
 */
final class Engine {
    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    final MonotonicClock clock;
    final LockBackend redis;
    /** Where degraded leases live. */
    final LockBackend local;

    final Tokens tokens;
    final Events events;
    final Alarms alarms;
    final LeaseKeeper keeper = new LeaseKeeper(this);
    final Cleaner cleaner = new Cleaner(this);
    final Releaser releaser = new Releaser(this);
    final Gates gates = new Gates(this);
    final Convoys convoys = new Convoys(this);
    final Switchboard switchboard = new Switchboard(this);
    final ThreadHolds threadHolds = new ThreadHolds();
    /** Highest fence base any grant brought: sent along, so that tokens rise also after the server lost its counter. */
    final AtomicLong highestFence = new AtomicLong();
    /** Acquires under way. */
    final Set<Acquisition> waiting = ConcurrentHashMap.newKeySet();
    /** For clients that block: asynchronous acquires and releases, clean-up. */
    final ExecutorService io = threads("holdfast-io", 8);

    private final ExecutorService renewals = threads("holdfast-renew", 2);
    private final ExecutorService callbacks = threads("holdfast-callback", 16);
    /** Not the JDK's common pool: on two cores it may be one thread, and whoever blocked that would hold up everybody's. */
    private final ForkJoinPool completions =
            new ForkJoinPool(64, Engine::completionThread, null, true, 0, 256, 1, full -> true, 10, TimeUnit.SECONDS);

    private volatile boolean listens;
    private volatile boolean closed;
    private volatile boolean stopped;

    Engine(LockBackend redis, Alarms alarms, Tokens tokens, Events events) {
        this.redis = redis;
        this.alarms = alarms;
        this.clock = alarms.clock();
        this.tokens = tokens;
        this.events = events;
        this.local = new InMemoryBackend(clock);
        local.listen(tokens.instance(), switchboard);
    }

    /**
     * Listens for word from other processes, from the first acquire on: a holder that does not hear that its lock is wanted
     * has to look at the queue with every release.
     */
    void listen() {
        if (!listens) {
            listens = true;
            redis.listen(tokens.instance(), switchboard);
        }
    }

    /** Whether it listens and nothing is heard. */
    boolean isDeaf() {
        return listens && redis.listening() == 0 && !closed;
    }

    /** What a try is to send along: the highest fence base seen, or -1 for a lock without fencing. */
    long fenceFloor(LockOptions options, LockBackend backend) {
        return options.fencing() && !isLocal(backend) ? highestFence.get() : -1;
    }

    @SuppressWarnings("ReferenceEquality") // that very store
    boolean isLocal(LockBackend backend) {
        return backend == local;
    }

    boolean isClosed() {
        return closed;
    }

    /** Closed, and those who held or cleaned up had their time: nothing is sent any more. */
    boolean isStopped() {
        return stopped;
    }

    void ensureOpen() {
        if (closed) {
            throw new IllegalStateException("this Holdfast is closed; keep one per process and close it last");
        }
    }

    /** Runs what talks to a backend without holding up whoever asks for it. */
    Executor sender(LockBackend backend) {
        return backend.blocking() ? io : Runnable::run;
    }

    /** Where acquires that no thread waits for take their steps; none after the end, when all that waited have been told. */
    Executor steps() {
        Executor threads = sender(redis);
        return step -> {
            try {
                threads.execute(step);
            } catch (RejectedExecutionException e) {
                log.debug("Holdfast was closed before a step of an acquire");
            }
        };
    }

    /** Renewals have threads of their own: they must not queue behind a hundred acquires of a hung server. */
    Executor renewals(LockBackend backend) {
        return backend.blocking() ? renewals : Runnable::run;
    }

    /** Runs application code where it can hold up nobody but other application code. */
    void callBack(Runnable callback) {
        try {
            callbacks.execute(() -> {
                try {
                    callback.run();
                } catch (RuntimeException | Error e) {
                    log.error("An onLost callback failed", e);
                }
            });
        } catch (RejectedExecutionException e) {
            log.warn("Holdfast is closed: an onLost callback was not run");
        }
    }

    /**
     * Completes a future that the application sees. Its follow-ups run right there and may block, so that must hold up
     * neither the timer nor a client's event loop.
     */
    void outside(Runnable completion) {
        try {
            completions.execute(completion);
        } catch (RejectedExecutionException e) { // closed, and still somebody waits for this
            daemon(completion, "holdfast-completion").start();
        }
    }

    /** Fails those who wait, gives holders some time, then tells the rest that their leases are over. */
    void close(Duration patience) {
        closed = true;
        for (Acquisition acquisition : waiting) {
            acquisition.fail(new LockBackendException(
                    "Holdfast was closed while waiting for lock "
                            + acquisition.wish.name().key(),
                    acquisition.wish.name().key(),
                    acquisition.effort.elapsed(),
                    false,
                    null));
        }
        gates.close();
        awaitIdle(System.nanoTime() + Limits.nanos(patience));
        keeper.all().forEach(hold -> keeper.lose(hold, LostReason.CLOSED));
        stopped = true;
        alarms.close();
        io.shutdown();
        renewals.shutdown();
        callbacks.shutdown();
        completions.shutdown();
    }

    private void awaitIdle(long until) {
        boolean interrupted = false;
        while (isBusy() && until - System.nanoTime() > 0) {
            try {
                TimeUnit.MILLISECONDS.sleep(5);
            } catch (InterruptedException e) {
                interrupted = true;
                break;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isBusy() {
        return keeper.size() > 0 || releaser.underWay() > 0 || cleaner.underWay() > 0;
    }

    private static ExecutorService threads(String name, int most) {
        AtomicLong number = new AtomicLong();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                most,
                most,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> daemon(task, name + "-" + number.incrementAndGet()));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ForkJoinWorkerThread completionThread(ForkJoinPool pool) {
        ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
        thread.setName("holdfast-completion-" + thread.getPoolIndex());
        return thread;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
