// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisCommand;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On a real server, with an I/O thread that runs when the test says so. */
class OutboxTest {
    private final EmbeddedRedis server = EmbeddedRedis.start();
    private final RedisClient client = RedisClient.create(RedisURI.create(server.uri()));
    private final StatefulRedisConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE);
    private final StatefulRedisConnection<String, String> other = client.connect(StringCodec.UTF8);
    private final Queue<Runnable> calls = new ArrayDeque<>();
    private final Outbox outbox = new Outbox();

    @BeforeEach
    void holdUp() {
        outbox.sendBy(calls::add);
    }

    @AfterEach
    void close() {
        client.shutdown(0, 1, TimeUnit.SECONDS);
        server.close();
    }

    private WireCommand send(StatefulRedisConnection<byte[], byte[]> to, String... words) {
        WireCommand wire = new WireCommand(RedisCommand.keyless(words), "here", Duration.ofSeconds(10));
        outbox.write(to, wire);
        return wire;
    }

    private List<WireCommand> append(int count) {
        List<WireCommand> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sent.add(send(connection, "RPUSH", "list", Integer.toString(i)));
        }
        return sent;
    }

    private void call() {
        calls.remove().run();
    }

    private List<String> list() {
        return other.sync().lrange("list", 0, -1);
    }

    @Test
    void whatComesTogether_goesTogether_inItsOrder() {
        List<WireCommand> sent = append(3);
        assertThat(calls).as("called once").hasSize(1);
        assertThat(list()).isEmpty();

        call();

        await().until(() -> sent.stream().allMatch(WireCommand::isDone));
        assertThat(sent).extracting(WireCommand::join).containsExactly(1L, 2L, 3L);
        assertThat(list()).containsExactly("0", "1", "2");
        assertThat(calls).isEmpty();
    }

    @Test
    void manyThatComeTogether_goInParts() {
        List<WireCommand> sent = append(2 * Outbox.MOST + 1);

        call();

        await().until(() -> sent.get(Outbox.MOST - 1).isDone());
        assertThat(list()).hasSize(Outbox.MOST);
        call();
        call();
        await().until(() -> sent.stream().allMatch(WireCommand::isDone));
        assertThat(list())
                .hasSize(2 * Outbox.MOST + 1)
                .isSortedAccordingTo((a, b) -> Integer.parseInt(a) - Integer.parseInt(b));
        assertThat(calls).isEmpty();
    }

    @Test
    void oneThatComesLater_callsAgain() {
        append(1);
        call();

        WireCommand later = send(connection, "PING");

        call();
        await().until(later::isDone);
        assertThat(later.join()).isEqualTo("PONG");
    }

    @Test
    void eachGoesToItsOwnConnection() {
        StatefulRedisConnection<byte[], byte[]> next = client.connect(ByteArrayCodec.INSTANCE);
        WireCommand first = send(connection, "CLIENT", "ID");
        WireCommand second = send(next, "CLIENT", "ID");
        WireCommand third = send(next, "CLIENT", "ID");

        call();

        await().until(() -> first.isDone() && second.isDone() && third.isDone());
        assertThat(second.join()).isEqualTo(third.join()).isNotEqualTo(first.join());
    }

    @Test
    void closedConnection_failsAll() {
        connection.close();
        List<WireCommand> sent = append(2);

        call();

        await().until(() -> sent.stream().allMatch(WireCommand::isCompletedExceptionally));
    }

    @Test
    void threadThatHasEnded_doesNotKeepThemForEver() {
        connection.close();
        outbox.sendBy(call -> {
            throw new RejectedExecutionException();
        });

        List<WireCommand> sent = append(2);

        await().until(() -> sent.stream().allMatch(WireCommand::isCompletedExceptionally));
    }
}
