// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One more thread of a test, and what came of it. */
final class Worker<T> {
    private final CompletableFuture<T> outcome = new CompletableFuture<>();
    private final Thread thread;

    private Worker(Callable<T> work) {
        thread = new Thread(
                () -> {
                    try {
                        outcome.complete(work.call());
                    } catch (Throwable e) {
                        outcome.completeExceptionally(e);
                    }
                },
                "contract-worker");
        thread.setDaemon(true);
        thread.start();
    }

    static <T> Worker<T> start(Callable<T> work) {
        return new Worker<>(work);
    }

    void interrupt() {
        thread.interrupt();
    }

    boolean isDone() {
        return outcome.isDone();
    }

    /** Its result, or what it threw, at the latest after 20 s. */
    T result() throws Exception {
        try {
            return outcome.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw new AssertionError("a worker failed", e.getCause());
        } catch (TimeoutException e) {
            AssertionError stuck = new AssertionError("the worker is stuck", e);
            stuck.setStackTrace(thread.getStackTrace());
            throw stuck;
        }
    }
}
