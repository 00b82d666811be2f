// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisReplyException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CompleteableCommand;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A command on its way through Lettuce, and the stage that its reply completes.
 *
 * <p><b>At most once.</b> With auto-reconnect, which is the default of an application's client, Lettuce keeps commands
 * while disconnected and writes what was in flight again after the reconnect: a second, late copy of an acquire. So the
 * command itself counts. It lets itself be encoded once, and not after its timeout. Asked again, or too late, it encodes
 * a {@code PING} in its stead: Lettuce expects one reply for each command it wrote, and closes the connection of a
 * command that refuses to be encoded. It fails when that {@code PING} is answered and not before: whoever learnt of it
 * while Lettuce encodes would send the next command at once, Lettuce would write that one first, and everybody would get
 * the reply of somebody else.
 *
 * <p><b>Sent or not.</b> The same knowledge tells failures apart: a command that fails before it was encoded has not left
 * this process. A time-out is the exception, since it strikes on another thread, possibly just before the encoding.
 */
final class WireCommand extends CompletableFuture<@Nullable Object>
        implements io.lettuce.core.protocol.RedisCommand<byte[], byte[], @Nullable Object>,
                CompleteableCommand<@Nullable Object> {
    private static final byte[] PING = "*1\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII);

    private final RedisCommand command;
    private final String endpoint;
    private final long createdAt = System.nanoTime();
    private final long timeoutNanos;
    private final ReplyOutput output = new ReplyOutput();
    private volatile boolean written;
    /** What it fails with, once a {@code PING} has been encoded in its stead. */
    private volatile @Nullable RedisConnectionException givenUp;

    private volatile @Nullable Runnable secondChance;
    private volatile @Nullable Runnable whenBroken;

    WireCommand(RedisCommand command, String endpoint, Duration timeout) {
        this.command = command;
        this.endpoint = endpoint;
        this.timeoutNanos = timeout.toNanos();
    }

    /** Whether no reply came within the timeout. */
    boolean isOverdue() {
        return !isDone() && System.nanoTime() - createdAt > timeoutNanos;
    }

    /** Runs that, once, instead of failing when a connection turns the command down before any of it was written. */
    void ifTurnedDown(Runnable other) {
        secondChance = other;
    }

    /** Runs that before the command fails because its connection broke: whoever hears of it may send the next at once. */
    void ifBroken(Runnable first) {
        whenBroken = first;
    }

    /** Fails the command without having touched a connection. */
    void refuse(String reason) {
        super.completeExceptionally(notSent(reason));
    }

    /** Fails the command for want of a connection. A server that answered, but refused the log-in, is a reply. */
    void connectFailed(Throwable e) {
        RedisReplyException reply = errorReply(e);
        super.completeExceptionally(
                reply != null
                        ? reply
                        : RedisConnectionException.notSent(
                                command.name() + " was not sent: no connection to " + endpoint + " (" + reason(e)
                                        + "); check that the server runs and that address, port and TLS are right",
                                e));
    }

    @Override
    public void encode(ByteBuf out) {
        if (written) {
            givenUp = noReply(new IllegalStateException("connection lost; not written a second time"));
            out.writeBytes(PING);
        } else if (isDone() || System.nanoTime() - createdAt > timeoutNanos) {
            givenUp = notSent("there was no connection within its timeout");
            out.writeBytes(PING);
        } else {
            written = true;
            Resp.write(out, command.words());
        }
    }

    @Override
    public void complete() {
        RedisConnectionException insteadOfAReply = givenUp;
        String error = output.getError();
        if (insteadOfAReply != null) {
            super.completeExceptionally(insteadOfAReply);
        } else if (error == null) {
            complete(output.get());
        } else {
            super.completeExceptionally(new RedisReplyException(error));
        }
    }

    /** Called by Lettuce for whatever went wrong. */
    @Override
    public boolean completeExceptionally(Throwable e) {
        RedisConnectionException insteadOfAReply = givenUp;
        if (insteadOfAReply != null) {
            return super.completeExceptionally(insteadOfAReply);
        }
        RedisReplyException reply = errorReply(e);
        if (reply != null) {
            return super.completeExceptionally(reply);
        }
        if (!written && !(e instanceof RedisCommandTimeoutException)) {
            Runnable other = secondChance;
            if (other != null && !isDone()) {
                secondChance = null;
                other.run();
                return true;
            }
            return super.completeExceptionally(RedisConnectionException.notSent(
                    command.name() + " was not sent to " + endpoint + " (" + reason(e) + ")", e));
        }
        Runnable first = whenBroken;
        if (first != null && !(e instanceof RedisCommandTimeoutException)) {
            whenBroken = null;
            first.run();
        }
        return super.completeExceptionally(noReply(e));
    }

    @Override
    public void cancel() {
        completeExceptionally(new CancellationException("connection closed"));
    }

    @Override
    public CommandOutput<byte[], byte[], @Nullable Object> getOutput() {
        return output;
    }

    @Override
    public void setOutput(CommandOutput<byte[], byte[], @Nullable Object> other) {
        throw new UnsupportedOperationException("Holdfast needs a connection that is not used for MULTI");
    }

    /** None: the words go to the wire as they are, past the connection's codec. */
    @Override
    public @Nullable CommandArgs<byte[], byte[]> getArgs() {
        return null;
    }

    @Override
    public ProtocolKeyword getType() {
        return new Keyword(command.name());
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the callback is Lettuce's, and so is what it throws
    public void onComplete(Consumer<? super @Nullable Object> action) {
        thenAccept(action);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the callback is Lettuce's, and so is what it throws
    public void onComplete(BiConsumer<? super @Nullable Object, Throwable> action) {
        whenComplete(action);
    }

    private RedisConnectionException notSent(String reason) {
        return RedisConnectionException.notSent(command.name() + " was not sent to " + endpoint + ": " + reason, null);
    }

    private RedisConnectionException noReply(Throwable e) {
        return RedisConnectionException.noReply(
                "no reply to " + command.name() + " from " + endpoint + " (" + reason(e)
                        + "); the server may or may not have carried it out",
                e);
    }

    private static @Nullable RedisReplyException errorReply(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException) {
                return new RedisReplyException(String.valueOf(cause.getMessage()));
            }
        }
        return null;
    }

    private static String reason(Throwable e) {
        Throwable inner = e;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner.getMessage() == null ? inner.getClass().getSimpleName() : inner.getMessage();
    }

    private record Keyword(String word) implements ProtocolKeyword {
        @Override
        public byte[] getBytes() {
            return word.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return word;
        }
    }
}
