// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's connection through the proxy. For each way one thread takes whole messages in and stamps them, and another
 * delivers them when they are due: a slow network delays messages, it does not make them wait for one another.
 *
 * <p>TCP never skips bytes. So a way on which something was dropped stays silent for good, and what is behind a request that is
 * held back waits with it.
 */
final class ProxiedConnection {
    private static final Logger log = LoggerFactory.getLogger(ProxiedConnection.class);

    private final Socket client;
    private final Socket server;
    private final Faults faults;
    private final Consumer<ProxiedConnection> whenOver;
    private final Conversation conversation = new Conversation();
    /** Empty stands for the end of the stream. */
    private final BlockingQueue<Optional<Crossing>> requests = new LinkedBlockingQueue<>();

    private final BlockingQueue<Optional<Arrival>> replies = new LinkedBlockingQueue<>();
    private final List<Thread> threads;
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger heldBack = new AtomicInteger();
    private final AtomicInteger endedWays = new AtomicInteger();

    private volatile boolean requestsMute;
    private volatile boolean requestsEnded;
    // Each used by one thread.
    private boolean repliesMute;
    private boolean clientGone;

    /** A reply or push on its way to the client. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record Arrival(byte[] bytes, @Nullable Crossing request, long dueAt) {}

    /** Moves messages until the stream ends. */
    private interface Pump {
        void run() throws IOException, InterruptedException;
    }

    ProxiedConnection(Socket client, Socket server, Faults faults, Consumer<ProxiedConnection> whenOver) {
        this.client = client;
        this.server = server;
        this.faults = faults;
        this.whenOver = whenOver;
        this.threads = Stream.<Pump>of(
                        this::takeRequests, this::deliverRequests, this::takeReplies, this::deliverReplies)
                .map(this::thread)
                .toList();
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** Breaks it at once, for the client; the server's side of it stays while a request is held back. */
    void reset() {
        abort(client);
        if (heldBack.get() == 0) {
            abort(server);
            close();
        }
    }

    void close() {
        if (over.compareAndSet(false, true)) {
            closeQuietly(client);
            closeQuietly(server);
            threads.forEach(Thread::interrupt);
            whenOver.accept(this);
        }
    }

    private void takeRequests() throws IOException {
        try {
            RespReader in = new RespReader(client.getInputStream());
            for (Message.Request next = in.request(); next != null; next = in.request()) {
                Crossing crossing = new Crossing(next, faults.ruleFor(next.words()), faults.dueAt(Way.REQUESTS));
                if (crossing.is(ProxyRule.Action.HOLD_BACK)) {
                    heldBack.incrementAndGet();
                    faults.held.add(crossing);
                }
                requests.add(Optional.of(crossing));
            }
        } finally {
            requests.add(Optional.empty());
        }
    }

    private void deliverRequests() throws IOException, InterruptedException {
        try {
            for (Optional<Crossing> next = requests.take(); next.isPresent(); next = requests.take()) {
                deliver(next.get());
            }
        } finally {
            for (Optional<Crossing> next = requests.poll(); next != null; next = requests.poll()) {
                next.ifPresent(this::forget);
            }
        }
        requestsEnded = true;
        if (!requestsMute) {
            server.shutdownOutput();
        } else if (!faults.dropped.contains(Way.REQUESTS)) {
            healed();
        }
        wayEnded();
    }

    /** The server hears of the end of a client that went away unheard; TCP would tell it again and again. */
    void healed() {
        if (requestsMute && requestsEnded) {
            close();
        }
    }

    private void deliver(Crossing request) throws IOException, InterruptedException {
        boolean held = request.is(ProxyRule.Action.HOLD_BACK);
        try {
            awaitDue(request.dueAt);
            if (held) {
                request.letGo.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            forget(request);
            throw new InterruptedException();
        }
        requestsMute |= faults.dropped.contains(Way.REQUESTS);
        if (requestsMute) {
            faults.lost.increment();
            forget(request);
        } else {
            if (!request.words.isEmpty()) {
                conversation.sent(request);
            }
            write(request);
        }
        if (held) {
            heldBack.decrementAndGet();
        }
    }

    private void write(Crossing request) throws IOException {
        try {
            faults.requests.increment(); // first: who has the answer finds it counted
            server.getOutputStream().write(request.bytes);
        } catch (IOException e) {
            forget(request);
            throw e;
        }
    }

    /** The server will not see it. */
    private void forget(Crossing request) {
        faults.held.remove(request);
        request.answer.complete("");
    }

    private void takeReplies() throws IOException {
        try {
            RespReader in = new RespReader(server.getInputStream());
            for (Message.Reply next = in.reply(); next != null; next = in.reply()) {
                Crossing request = conversation.answeredBy(next);
                long dueAt = faults.dueAt(Way.REPLIES);
                if (request != null) {
                    dueAt += request.replyDelayNanos();
                    request.answered(next);
                }
                replies.add(Optional.of(new Arrival(next.bytes(), request, dueAt)));
            }
        } finally {
            replies.add(Optional.empty());
        }
    }

    private void deliverReplies() throws IOException, InterruptedException {
        for (Optional<Arrival> next = replies.take(); next.isPresent(); next = replies.take()) {
            Arrival reply = next.get();
            awaitDue(reply.dueAt);
            boolean swallowed = isLost(reply);
            repliesMute |= swallowed || faults.dropped.contains(Way.REPLIES);
            if (repliesMute) {
                faults.lost.increment();
            } else {
                write(reply);
            }
            if (swallowed && reply.request != null && reply.request.is(ProxyRule.Action.LOSE_REPLY_AND_RESET)) {
                reset();
            }
        }
        if (!repliesMute) {
            close(); // the server has gone, or has answered the last request of a client that has
        }
        wayEnded();
    }

    private static boolean isLost(Arrival reply) {
        Crossing request = reply.request;
        return request != null
                && (request.is(ProxyRule.Action.LOSE_REPLY_AND_RESET)
                        || request.is(ProxyRule.Action.LOSE_REPLY_AND_HANG));
    }

    private void write(Arrival reply) {
        if (clientGone) {
            faults.lost.increment();
            return;
        }
        (reply.request == null ? faults.pushes : faults.replies).increment();
        try {
            client.getOutputStream().write(reply.bytes);
        } catch (IOException e) {
            clientGone = true; // what was held back is still to be answered
        }
    }

    /** A network that drops what it is given passes on the end of a connection no more than the rest; with both ends it is over. */
    private void wayEnded() {
        if (endedWays.incrementAndGet() == 2) {
            close();
        }
    }

    private void awaitDue(long dueAt) throws InterruptedException {
        for (long left = dueAt - System.nanoTime(); left > 0; left = dueAt - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    private Thread thread(Pump pump) {
        Thread thread = new Thread(
                () -> {
                    try {
                        pump.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt(); // closed; the thread ends here
                    } catch (ProtocolException e) {
                        log.warn("A connection through the faulty proxy ends: {}", e.getMessage());
                    } catch (IOException e) {
                        log.debug("A connection through the faulty proxy broke", e);
                    }
                },
                "holdfast-faulty-proxy");
        thread.setDaemon(true);
        return thread;
    }

    static void abort(Socket socket) {
        try {
            socket.setSoLinger(true, 0); // makes of the close a reset
        } catch (IOException e) {
            // closed already, which is as good
        }
        closeQuietly(socket);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // nothing is left to be done about it
        }
    }
}
