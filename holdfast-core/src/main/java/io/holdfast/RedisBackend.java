// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.AcquireReply;
import io.holdfast.spi.AcquireRequest;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockName;
import io.holdfast.spi.LockState;
import io.holdfast.spi.Lookout;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spi.ReleaseReply;
import io.holdfast.spi.ReleaseRequest;
import io.holdfast.spi.RenewReply;
import io.holdfast.spi.RenewRequest;
import io.holdfast.spi.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The verbs on one Redis or Valkey server, as scripts over a connector. Stateless but for what the server can do. */
final class RedisBackend implements LockBackend {
    private static final String GRANTED = "granted ";
    private static final String TOLD = " told";
    private static final String WANTED = " wanted";

    private final RedisConnector connector;
    private final Scripts scripts;
    private final NativeDelete nativeDelete;
    private final Mailbox mailbox;

    RedisBackend(RedisConnector connector, Mailbox mailbox) {
        this.connector = connector;
        this.scripts = new Scripts(connector);
        this.nativeDelete = new NativeDelete(connector);
        this.mailbox = mailbox;
    }

    @Override
    public CompletionStage<AcquireReply> acquire(AcquireRequest request) {
        boolean bare = !request.fenced() && request.owner() == null && !request.fair() && request.attempt() == 1;
        return bare ? setIfAbsent(request) : acquireByScript(request);
    }

    /** The seed's bare command: a token's first try can't find a grant of its own, so there is nothing to compare. */
    private CompletionStage<AcquireReply> setIfAbsent(AcquireRequest request) {
        String ttl = Long.toString(request.ttlMillis());
        return connector
                .send(RedisCommand.keyed("SET", request.name().lockKey(), request.token(), "NX", "PX", ttl))
                .thenCompose(reply -> {
                    if (reply != null) {
                        return CompletableFuture.completedStage(new AcquireReply.Granted(0, false, false));
                    }
                    return request.waits() // at once, to stand in the queue before the lock is free again
                            ? acquireByScript(request)
                            : CompletableFuture.completedStage(new AcquireReply.Contended(null, -2, false, false));
                });
    }

    private CompletionStage<AcquireReply> acquireByScript(AcquireRequest request) {
        LockName name = request.name();
        String ttl = Long.toString(request.ttlMillis());
        String floor = request.fenced() ? Long.toString(request.fenceFloor()) : "";
        // Whoever would not hear of its turn does not stand in the queue, no longer if it did: it would hold up those
        // behind it.
        boolean deaf = !mailbox.isHealthy();
        boolean queued = request.waits() && (!deaf || request.attempt() > 1);
        List<String> args = new ArrayList<>(6); // each word costs the server a quarter of a microsecond
        args.addAll(List.of(request.token(), ttl, floor));
        String owner = request.owner();
        Script script = owner != null ? Script.ACQUIRE_OWNER : request.fair() ? Script.ACQUIRE_FAIR : Script.ACQUIRE;
        if (queued || script != Script.ACQUIRE) {
            args.add(queued ? request.queueEntry() : "");
        }
        if (owner != null) {
            args.add(owner);
        }
        if (queued && deaf) {
            args.add("deaf");
        }
        CompletionStage<@Nullable Object> reply = scripts.run(script, keys(name, script, queued), args);
        return reply.thenApply(RedisBackend::acquireReply);
    }

    private static List<String> keys(LockName name, Script script, boolean queued) {
        if (script == Script.ACQUIRE_OWNER) {
            return allKeys(name);
        }
        return queued || script == Script.ACQUIRE_FAIR ? queued(name) : List.of(name.lockKey(), name.fenceKey());
    }

    private static AcquireReply acquireReply(@Nullable Object reply) {
        AcquireReply.Granted granted = reply instanceof String text ? granted(text) : null;
        if (granted != null) {
            return granted;
        }
        List<?> parts = Replies.list(reply);
        return switch (Replies.text(parts.get(0))) {
            case "contended" ->
                new AcquireReply.Contended(
                        Replies.text(parts.get(1)), Replies.number(parts.get(2)), false, Replies.isOne(parts.get(3)));
            case "incompatible" -> new AcquireReply.Contended(null, Replies.number(parts.get(1)), true, false);
            default -> throw Replies.unexpected(reply);
        };
    }

    private static AcquireReply.@Nullable Granted granted(String text) {
        if (!text.startsWith(GRANTED)) {
            return null;
        }
        int end = text.indexOf(' ', GRANTED.length());
        String base = text.substring(GRANTED.length(), end < 0 ? text.length() : end);
        boolean handedOver = base.length() > 1 && base.charAt(0) == '0';
        int wanted = text.indexOf(WANTED);
        String behind = wanted < 0 ? "" : text.substring(wanted + WANTED.length());
        return new AcquireReply.Granted(
                Long.parseLong(base), wanted >= 0 || handedOver, text.contains(TOLD), handedOver, behind);
    }

    @Override
    public CompletionStage<List<RenewReply>> renew(List<RenewRequest> batch) {
        List<RenewRequest> plain = batch.stream().filter(r -> r.owner() == null).toList();
        if (plain.size() == batch.size()) {
            return renewPlain(batch);
        }
        CompletableFuture<List<RenewReply>> plainReplies = renewPlain(plain).toCompletableFuture();
        List<CompletableFuture<RenewReply>> replies = new ArrayList<>(batch.size());
        int next = 0;
        for (RenewRequest request : batch) {
            int index = request.owner() == null ? next++ : -1;
            replies.add(
                    index < 0
                            ? renewOwner(request).toCompletableFuture()
                            : plainReplies.thenApply(all -> all.get(index)));
        }
        return CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new))
                .thenApply(all -> replies.stream().map(CompletableFuture::join).toList());
    }

    private CompletionStage<List<RenewReply>> renewPlain(List<RenewRequest> batch) {
        if (batch.isEmpty()) {
            return CompletableFuture.completedStage(List.of());
        }
        List<String> keys = new ArrayList<>(batch.size());
        List<String> args = new ArrayList<>(2 * batch.size());
        for (RenewRequest request : batch) {
            keys.add(request.name().lockKey());
            args.add(request.value());
            args.add(Long.toString(request.ttlMillis()));
        }
        return scripts.run(Script.RENEW, keys, args)
                .thenApply(reply -> Replies.list(reply).stream()
                        .map(RedisBackend::renewReply)
                        .toList());
    }

    /** A hold of an owner, on its own; its failure is its own too. */
    private CompletionStage<RenewReply> renewOwner(RenewRequest request) {
        LockName name = request.name();
        return scripts.run(
                        Script.RENEW_OWNER,
                        List.of(name.lockKey(), name.ownerKey(), name.holdsKey()),
                        List.of(request.value(), Long.toString(request.ttlMillis())))
                .handle((reply, failure) -> failure == null
                        ? renewReply(reply)
                        : new RenewReply.Failed(
                                String.valueOf(BackendErrors.unwrap(failure).getMessage())));
    }

    private static RenewReply renewReply(@Nullable Object reply) {
        String text = Replies.text(reply);
        return switch (text) {
            case "renewed" -> new RenewReply.Renewed();
            case "gone" -> new RenewReply.Gone();
            default -> new RenewReply.Failed(text);
        };
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        LockName name = request.name();
        if (request.owner() != null) {
            return releaseOwner(name, request.token(), request.counted()).thenApply(RedisBackend::plain);
        }
        if (request.wanted()) {
            return passOn(request);
        }
        return nativeDelete
                .delete(
                        name.lockKey(),
                        request.value(),
                        () -> scripts.run(Script.RELEASE, List.of(name.lockKey()), List.of(request.value()))
                                .thenApply(Replies::isOne))
                .thenApply(RedisBackend::plain);
    }

    private CompletionStage<ReleaseReply> passOn(ReleaseRequest request) {
        AcquireRequest again = request.again();
        List<String> args = new ArrayList<>(5);
        args.add(request.value());
        args.add(again == null ? "" : again.queueEntry());
        args.add(again == null ? "" : Long.toString(again.ttlMillis()));
        args.add(again != null && again.fenced() ? Long.toString(again.fenceFloor()) : "");
        args.add(request.fair() ? Integer.toString(request.behind().size()) : "unfair");
        args.addAll(request.behind());
        args.addAll(request.served());
        return scripts.run(Script.RELEASE, queued(request.name()), args).thenApply(reply -> {
            if (again == null) {
                return plain(Replies.isOne(reply));
            }
            List<?> parts = Replies.list(reply);
            return new ReleaseReply(
                    Replies.isOne(parts.get(0)), granted(Replies.text(parts.get(1))), Replies.isOne(parts.get(2)));
        });
    }

    private static ReleaseReply plain(boolean released) {
        return new ReleaseReply(released, null);
    }

    @Override
    public CompletionStage<Boolean> abandon(LockName name, String token, boolean owned) {
        return owned
                ? releaseOwner(name, token, true)
                : scripts.run(Script.ABANDON, queued(name), List.of(token)).thenApply(Replies::isOne);
    }

    @Override
    public CompletionStage<Boolean> end(LockName name, String value, long afterMillis) {
        return scripts.run(Script.END, allKeys(name), List.of(value, Long.toString(afterMillis)))
                .thenApply(Replies::isOne);
    }

    @Override
    public CompletionStage<?> serve(LockName name) {
        return scripts.run(Script.RELEASE, queued(name), List.of("")); // nobody's value: only a free lock is passed on
    }

    private CompletionStage<Boolean> releaseOwner(LockName name, String token, boolean counted) {
        return scripts.run(Script.RELEASE_OWNER, allKeys(name), List.of(token, counted ? "counted" : "uncounted"))
                .thenApply(Replies::isOne);
    }

    private static List<String> allKeys(LockName name) {
        return List.of(name.lockKey(), name.fenceKey(), name.queueKey(), name.ownerKey(), name.holdsKey());
    }

    private static List<String> queued(LockName name) {
        return List.of(name.lockKey(), name.fenceKey(), name.queueKey());
    }

    @Override
    public void listen(String instance, Signals signals) {
        mailbox.open(signals);
    }

    @Override
    public void missed(long listening, BooleanSupplier heard) {
        Futures.onDone(mailbox.caughtUp(listening), (done, failed) -> { // it may be on its way
            if (failed == null && !heard.getAsBoolean()) {
                mailbox.isDeaf(listening);
            }
        });
    }

    @Override
    public long listening() {
        return mailbox.session();
    }

    @Override
    public void listenFor(BooleanSupplier heard) {
        mailbox.listenFor(heard);
    }

    @Override
    public boolean glance() {
        return mailbox.glance();
    }

    @Override
    public CompletionStage<LockState> inspect(LockName name) {
        return scripts.run(
                        Script.INSPECT,
                        List.of(name.lockKey(), name.ownerKey(), name.holdsKey(), name.queueKey()),
                        List.of())
                .thenApply(RedisBackend::state);
    }

    private static LockState state(@Nullable Object reply) {
        List<?> parts = Replies.list(reply);
        List<String> waiting = Replies.list(parts.get(1)).stream()
                .map(Replies::text)
                .map(entry -> entry.substring(1))
                .toList();
        if (Replies.text(parts.get(0)).equals("free")) {
            return new LockState(false, null, -2, null, 0, waiting);
        }
        String value = Replies.text(parts.get(2));
        String owner = Replies.text(parts.get(4));
        return new LockState(
                true,
                value.isEmpty() ? null : value,
                Replies.number(parts.get(3)),
                owner.isEmpty() ? null : owner,
                (int) Replies.number(parts.get(5)),
                waiting);
    }

    @Override
    public boolean blocking() {
        return connector.blocking();
    }

    @Override
    public Lookout lookout() {
        return connector.lookout();
    }

    @Override
    public Duration commandTimeout() {
        return connector.commandTimeout();
    }

    @Override
    public String endpoint() {
        return connector.endpoint();
    }

    @Override
    public void close() {
        mailbox.close();
        connector.close();
    }
}
