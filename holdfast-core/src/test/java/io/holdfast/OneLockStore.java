// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.AcquireRequest;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockName;
import io.holdfast.spi.LockState;
import io.holdfast.spi.ReleaseReply;
import io.holdfast.spi.ReleaseRequest;
import io.holdfast.spi.RenewReply;
import io.holdfast.spi.RenewRequest;
import io.holdfast.spi.Signals;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * A server with one lock, small enough for a model checker: no thread, no time, no chance. Word is told by whoever causes it,
 * after the fact. Every other hand-over is for good, so that the word alone counts. A key lives until it is deleted. An acquire that comes after its clean-up takes nothing: the clean-up is
 * repeated for that, but by the timer, which does not run.
 */
final class OneLockStore implements LockBackend {
    private final List<Signals> processes = new CopyOnWriteArrayList<>();

    // Guarded by this.
    private final Deque<String> queue = new ArrayDeque<>();
    private final Set<String> abandoned = new HashSet<>();
    private String holder;
    private long fence;
    private boolean handedOver;
    private Runnable word = () -> {};

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request) {
        return answer(() -> {
            if (abandoned.contains(request.token())) {
                return new AcquireReply.Contended(holder, -1, false, false);
            }
            if (holder == null) {
                take(request.token(), false);
            } else if (!holder.equals(request.token())) {
                String wanted = idOf(holder);
                if (!handedOver) {
                    word = () -> processes.forEach(process -> process.wanted(wanted));
                }
                if (request.waits()) {
                    join(request.token());
                }
                return new AcquireReply.Contended(holder, -1, false, request.waits());
            }
            queue.remove(request.token());
            return granted();
        });
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        return answer(() -> {
            boolean mine = holder != null && request.value().equals(LockValue.fenced(holder, fence, handedOver));
            AcquireRequest again = request.again();
            if (again != null && !again.token().equals(holder) && !abandoned.contains(again.token())) {
                join(again.token());
            }
            if (mine) {
                holder = null;
            }
            if (request.wanted()) {
                passOn();
            }
            boolean inOneBreath = again != null && again.token().equals(holder);
            return new ReleaseReply(mine, inOneBreath ? granted() : null);
        });
    }

    @Override
    public CompletionStage<Boolean> abandon(LockName name, String token, boolean owned) {
        return answer(() -> {
            queue.remove(token);
            abandoned.add(token);
            boolean mine = token.equals(holder);
            if (mine) {
                holder = null;
                passOn();
            }
            return mine;
        });
    }

    @Override
    public CompletionStage<Boolean> end(LockName name, String value, long afterMillis) {
        throw new UnsupportedOperationException("no operator is part of the model");
    }

    @Override
    public CompletionStage<?> serve(LockName name) {
        return answer(() -> {
            passOn();
            return true;
        });
    }

    @Override
    public CompletionStage<List<RenewReply>> renew(List<RenewRequest> batch) {
        return answer(() -> batch.stream().map(this::renewed).toList());
    }

    private RenewReply renewed(RenewRequest request) {
        boolean mine = holder != null && request.value().equals(LockValue.fenced(holder, fence, handedOver));
        return mine ? new RenewReply.Renewed() : new RenewReply.Gone();
    }

    /** As a {@code DEL} by somebody else would. */
    synchronized void delete() {
        holder = null;
    }

    /** Whether nobody holds it, and nobody waits. */
    synchronized boolean isEmpty() {
        return holder == null && queue.isEmpty();
    }

    private <T> CompletionStage<T> answer(Supplier<T> verb) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        execute(verb, answer).run();
        return answer;
    }

    /** One command; gives back who is to be told what. */
    private synchronized <T> Runnable execute(Supplier<T> verb, CompletableFuture<T> answer) {
        answer.complete(verb.get());
        Runnable told = word;
        word = () -> {};
        return told;
    }

    private void join(String token) {
        if (!queue.contains(token)) {
            queue.add(token);
        }
    }

    private void passOn() {
        if (holder == null && !queue.isEmpty()) {
            take(queue.poll(), fence % 2 == 0);
            String id = idOf(holder);
            AcquireReply.Granted grant = granted();
            word = () -> processes.forEach(process -> {
                if (grant.handedOver()) {
                    process.handedOver(id, grant);
                } else {
                    process.granted(id);
                }
            });
        }
    }

    private void take(String token, boolean forGood) {
        holder = token;
        handedOver = forGood;
        fence++;
    }

    private AcquireReply.Granted granted() {
        return new AcquireReply.Granted(fence, handedOver || !queue.isEmpty(), false, handedOver, "");
    }

    private static String idOf(String token) {
        return token.substring(0, Signals.ID_LENGTH);
    }

    @Override
    public void listen(String instance, Signals signals) {
        processes.add(signals);
    }

    @Override
    public long listening() {
        return 1;
    }

    @Override
    public CompletionStage<LockState> inspect(LockName name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String endpoint() {
        return "one lock";
    }
}
