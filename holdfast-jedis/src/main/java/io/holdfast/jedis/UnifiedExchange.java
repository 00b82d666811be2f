// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import io.holdfast.spi.RedisCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Runs commands on the application's {@link UnifiedJedis}, which hides its connections. Whether a failed command was
 * sent is told by the command word itself: Jedis asks for its bytes when it writes them. (A Cluster client asks earlier,
 * to find the command's flags; its failures then all count as "no reply", which is the safe side.)
 */
final class UnifiedExchange implements Exchange {
    private final UnifiedJedis client;
    private final Failures failures;
    private volatile boolean closed;

    UnifiedExchange(UnifiedJedis client, Failures failures) {
        this.client = client;
        this.failures = failures;
    }

    @Override
    public @Nullable Object call(RedisCommand command) {
        if (closed) {
            throw failures.closed(command);
        }
        Watched verb = new Watched(Verb.of(command.name()));
        try {
            return Replies.convert(execute(command, verb));
        } catch (JedisDataException e) {
            throw Failures.errorReply(e);
        } catch (JedisException e) {
            throw verb.read ? failures.noReply(command, e) : failures.notConnected(command, e);
        }
    }

    // The replacement for sendCommand, executeCommand(CommandArguments), cannot route in a Cluster before Jedis 8.
    @SuppressWarnings("deprecation")
    private @Nullable Object execute(RedisCommand command, ProtocolCommand verb) {
        List<String> words = command.words();
        String[] arguments = words.subList(1, words.size()).toArray(new String[0]);
        return command.keyIndex() > 0
                ? client.sendCommand(words.get(command.keyIndex()), verb, arguments)
                : client.sendCommand(verb, arguments);
    }

    @Override
    public void close() {
        closed = true;
    }

    /** Used by one thread for one command. */
    private static final class Watched implements ProtocolCommand {
        private final Verb verb;
        private boolean read;

        Watched(Verb verb) {
            this.verb = verb;
        }

        @Override
        public byte[] getRaw() {
            read = true;
            return verb.getRaw();
        }

        @Override
        public String toString() {
            return verb.toString();
        }
    }
}
