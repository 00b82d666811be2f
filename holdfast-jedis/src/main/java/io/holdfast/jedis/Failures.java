// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisReplyException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** Says what a failure of Jedis means for the command. Never shows arguments or credentials. */
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(JedisConnector.class);

    private final String endpoint;
    private final Duration timeout;

    Failures(String endpoint, Duration timeout) {
        this.endpoint = endpoint;
        this.timeout = timeout;
    }

    Duration timeout() {
        return timeout;
    }

    /** The server's own line, word for word: its first word is what the engine acts on. */
    static RedisReplyException errorReply(JedisDataException e) {
        return new RedisReplyException(String.valueOf(e.getMessage()));
    }

    RedisConnectionException closed(RedisCommand command) {
        return RedisConnectionException.notSent(
                command.name() + " was not sent: the connector to " + endpoint + " is closed", null);
    }

    /** The pool gave no connection. A server that answered, but refused the log-in, is a reply. */
    RuntimeException notConnected(RedisCommand command, JedisException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof JedisDataException refused) {
                return errorReply(refused);
            }
            if (cause instanceof NoSuchElementException) {
                return allInUse(command, e);
            }
            if (cause instanceof InterruptedException) {
                Thread.currentThread().interrupt();
                return interrupted(command, e);
            }
        }
        return RedisConnectionException.notSent(
                command.name() + " was not sent: no connection to " + endpoint + " (" + reason(e)
                        + "); check that the server runs and that address, port and TLS are right",
                e);
    }

    RedisConnectionException interrupted(RedisCommand command, @Nullable Throwable cause) {
        return RedisConnectionException.notSent(
                command.name() + " was not sent: interrupted while waiting for a connection to " + endpoint, cause);
    }

    RedisConnectionException allInUse(RedisCommand command, @Nullable Throwable cause) {
        return RedisConnectionException.notSent(
                command.name() + " was not sent: all connections to " + endpoint + " are in use; raise maxTotal",
                cause);
    }

    /** The thread that sent it along did not come back with a reply. */
    RedisConnectionException unanswered(RedisCommand command) {
        return noReply(command, new JedisConnectionException(new SocketTimeoutException()));
    }

    RedisConnectionException noReply(RedisCommand command, JedisException e) {
        String what = e.getCause() instanceof SocketTimeoutException
                ? "none within " + timeout.toMillis() + " ms"
                : "connection broken, " + reason(e);
        return RedisConnectionException.noReply(
                "no reply to " + command.name() + " from " + endpoint + " (" + what
                        + "); the server may or may not have carried it out",
                e);
    }

    /** Refused, if the server said so; else broken, or never made. */
    RuntimeException notListening(String channel, JedisException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof JedisDataException refused) {
                return errorReply(refused);
            }
        }
        return RedisConnectionException.noReply(
                "the subscription to " + channel + " at " + endpoint + " is over (" + reason(e) + ")", e);
    }

    /** For what must not hide a reply that was read. */
    void log(Exception e) {
        LOG.debug("{}: could not give a connection back", endpoint, e);
    }

    /** The innermost message: Jedis keeps "Connection refused" in a suppressed exception. */
    private static String reason(Throwable e) {
        Throwable inner = e;
        while (inner.getCause() != null || inner.getSuppressed().length > 0) {
            inner = inner.getCause() != null ? inner.getCause() : inner.getSuppressed()[0];
        }
        return inner.getMessage() == null ? inner.getClass().getSimpleName() : inner.getMessage();
    }
}
