// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.Lookout;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisReplyException;
import io.holdfast.testkit.RawRedis;
import io.holdfast.testkit.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;

/** Many threads on few connections, on a real server. */
class LaneExchangeTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final EmbeddedRedis server = EmbeddedRedis.start();
    private final RawRedis raw = new RawRedis(server.host(), server.port());
    private final TestClock clock = TestClock.ticking();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
        raw.close();
        server.close();
    }

    @Test
    void everyCall_getsItsOwnReply() {
        LaneExchange exchange = exchange(50);
        List<CompletableFuture<Boolean>> callers = new ArrayList<>();
        for (int caller = 0; caller < 32; caller++) {
            String name = "caller " + caller + " call ";
            callers.add(CompletableFuture.supplyAsync(
                    () -> {
                        for (int i = 0; i < 200; i++) {
                            assertThat(exchange.call(RedisCommand.keyless("ECHO", name + i)))
                                    .isEqualTo(name + i);
                        }
                        return true;
                    },
                    threads));
        }

        assertThat(callers).allMatch(CompletableFuture::join);
        exchange.close();
    }

    @Test
    void everyCall_getsItsOwnReply_orAnError_whileConnectionsAreCut() {
        LaneExchange exchange = exchange(50);
        AtomicBoolean enough = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger cut = new AtomicInteger();
        List<CompletableFuture<Boolean>> callers = new ArrayList<>();
        for (int caller = 0; caller < 32; caller++) {
            String name = "caller " + caller + " call ";
            callers.add(CompletableFuture.supplyAsync(
                    () -> {
                        for (int i = 0; !enough.get(); i++) {
                            try {
                                assertThat(exchange.call(RedisCommand.keyless("ECHO", name + i)))
                                        .isEqualTo(name + i);
                                answered.incrementAndGet();
                            } catch (RedisConnectionException e) {
                                cut.incrementAndGet();
                            }
                        }
                        return true;
                    },
                    threads));
        }

        for (int i = 1; i <= 20; i++) {
            int before = answered.get();
            Awaitility.await().until(() -> answered.get() > before + 200);
            raw.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        }
        enough.set(true);

        assertThat(callers).allMatch(CompletableFuture::join);
        assertThat(cut).as("calls that met it").hasPositiveValue();
        Awaitility.await()
                .ignoreExceptions() // of connections that were cut last
                .until(() -> "again".equals(exchange.call(RedisCommand.keyless("ECHO", "again"))));
        exchange.close();
    }

    @Test
    void queuedCalls_areSentTogether() {
        LaneExchange exchange = exchange(LaneExchange.LANES);
        List<CompletableFuture<Object>> blocking = blockAllLanes(exchange);
        CompletableFuture<Object> first = queue(exchange, "ECHO", "first");
        CompletableFuture<Object> wrong = queue(exchange, "ECHO", "too", "many");
        CompletableFuture<Object> last = queue(exchange, "ECHO", "last");
        long readsBefore = reads();

        raw.call("LPUSH", "block", "go"); // one read of its own, and one to count

        assertThat(first.join()).isEqualTo("first");
        assertThatThrownBy(wrong::join).hasCauseInstanceOf(RedisReplyException.class);
        assertThat(last.join()).isEqualTo("last");
        assertThat(reads() - readsBefore).isEqualTo(3);
        unblock(blocking);
        exchange.close();
    }

    @Test
    void lostConnection_failsWhateverWasSentOnIt() {
        LaneExchange exchange = exchange(LaneExchange.LANES);
        List<CompletableFuture<Object>> blocking = blockAllLanes(exchange);
        CompletableFuture<Object> leads = queue(exchange, "BLPOP", "other", "0");
        CompletableFuture<Object> sentAlong = queue(exchange, "INCR", "counter");
        raw.call("LPUSH", "block", "go");
        Awaitility.await().until(() -> exchange.queued() == 0);

        raw.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");

        for (CompletableFuture<Object> call : List.of(leads, sentAlong)) {
            assertThatThrownBy(call::join)
                    .isInstanceOf(CompletionException.class)
                    .cause()
                    .isInstanceOfSatisfying(
                            RedisConnectionException.class,
                            lost -> assertThat(lost.maybeExecuted()).isTrue());
        }
        assertThat(exchange.call(RedisCommand.keyless("ECHO", "again"))).isEqualTo("again");
        Awaitility.await().until(() -> blocking.stream().allMatch(CompletableFuture::isDone));
        exchange.close();
    }

    @Test
    void hungLanes_areGoneRound() {
        LaneExchange exchange = exchange(LaneExchange.LANES + 1);
        List<CompletableFuture<Object>> blocking = blockAllLanes(exchange);

        assertThat(exchange.call(RedisCommand.keyless("ECHO", "past them"))).isEqualTo("past them");

        assertThat(blocking).noneMatch(CompletableFuture::isDone);
        for (int i = 0; i < LaneExchange.LANES; i++) {
            raw.call("LPUSH", "block", "go");
        }
        unblock(blocking);
        exchange.close();
    }

    @Test
    void connectionThatDiedUnused_isReplacedBeforeItCostsACommand() {
        LaneExchange exchange = exchange(LaneExchange.LANES);
        exchange.call(RedisCommand.keyless("PING"));
        raw.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");

        clock.advance(Duration.ofSeconds(6));

        assertThat(exchange.call(RedisCommand.keyless("ECHO", "alive"))).isEqualTo("alive");
        exchange.close();
    }

    @Test
    void close_leavesNoConnection_andNoCall() {
        LaneExchange exchange = exchange(LaneExchange.LANES);
        List<CompletableFuture<Object>> blocking = blockAllLanes(exchange);
        CompletableFuture<Object> queued = queue(exchange, "INCR", "counter");

        exchange.close();
        for (int i = 0; i < LaneExchange.LANES; i++) {
            raw.call("LPUSH", "block", "go");
        }

        unblock(blocking);
        assertThatThrownBy(queued::join)
                .cause()
                .isInstanceOfSatisfying(
                        RedisConnectionException.class,
                        closed -> assertThat(closed.maybeExecuted()).isFalse());
        Awaitility.await()
                .until(() -> String.valueOf(raw.call("INFO", "clients")).contains("connected_clients:1\r"));
        assertThat(raw.call("GET", "counter")).isNull();
    }

    private LaneExchange exchange(int connections) {
        ConnectionPoolConfig config = new ConnectionPoolConfig();
        config.setMaxTotal(connections);
        config.setMaxWait(TIMEOUT);
        ConnectionPool pool = new ConnectionPool(
                new HostAndPort(server.host(), server.port()),
                DefaultJedisClientConfig.builder()
                        .timeoutMillis((int) TIMEOUT.toMillis())
                        .build(),
                config);
        Failures failures = new Failures("here", TIMEOUT);
        PoolExchange<Connection> pooled = new PoolExchange<>(pool, connection -> connection, failures, true);
        return new LaneExchange(pooled, failures, clock, Lookout.none());
    }

    private List<CompletableFuture<Object>> blockAllLanes(LaneExchange exchange) {
        List<CompletableFuture<Object>> blocking = new ArrayList<>();
        for (int i = 0; i < LaneExchange.LANES; i++) {
            blocking.add(start(exchange, "BLPOP", "block", "0"));
        }
        Awaitility.await()
                .until(() ->
                        String.valueOf(raw.call("INFO", "clients")).contains("blocked_clients:" + LaneExchange.LANES));
        return blocking;
    }

    private void unblock(List<CompletableFuture<Object>> blocking) {
        while (!blocking.stream().allMatch(CompletableFuture::isDone)) {
            raw.call("LPUSH", "block", "go");
        }
    }

    private CompletableFuture<Object> queue(LaneExchange exchange, String... words) {
        int before = exchange.queued();
        CompletableFuture<Object> call = start(exchange, words);
        Awaitility.await().until(() -> exchange.queued() == before + 1);
        return call;
    }

    private CompletableFuture<Object> start(LaneExchange exchange, String... words) {
        return CompletableFuture.supplyAsync(() -> exchange.call(RedisCommand.keyless(words)), threads);
    }

    private long reads() {
        String stats = String.valueOf(raw.call("INFO", "stats"));
        return Long.parseLong(stats.replaceAll("(?s).*total_reads_processed:(\\d+).*", "$1"));
    }
}
