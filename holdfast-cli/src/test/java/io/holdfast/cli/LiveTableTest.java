// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisCommand;
import io.holdfast.spi.RedisConnector;
import io.holdfast.testkit.history.Event;
import io.holdfast.testkit.history.Event.Kind;
import io.holdfast.testkit.history.History;
import io.holdfast.testkit.history.HistoryTail;
import io.holdfast.testkit.history.Operation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the table of the demo shows, column by column, of real locks and of the history of those who used them. */
class LiveTableTest {
    private static final long PID = ProcessHandle.current().pid();
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final String LOCK = "order:1";

    private static EmbeddedRedis redis;

    @TempDir
    Path folder;

    private RedisConnector raw;
    private Holdfast holder;
    private Holdfast waiter;
    private History history;
    private HistoryTail tail;
    private boolean alive = true;
    private final Board board = new Board();
    private final List<Event> events = new ArrayList<>();
    private final LiveTable table =
            new LiveTable(board, pid -> alive ? Optional.of("worker-" + pid) : Optional.empty(), pid -> "w/" + pid);

    /** A row, by the heads of the columns. */
    private record Row(
            String lock,
            String holder,
            String waiting,
            String ttl,
            String token,
            String taken,
            String p50,
            String p99) {
        static Row of(String line) {
            String[] cells = line.trim().split(" +");
            assertThat(cells).as(line).hasSize(8);
            return new Row(cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7]);
        }
    }

    @BeforeAll
    static void startServer() {
        redis = EmbeddedRedis.start();
    }

    @AfterAll
    static void stopServer() {
        redis.close();
    }

    @BeforeEach
    void open() {
        RedisAddress address = RedisAddress.parse(redis.uri());
        raw = JedisConnector.connect(address);
        raw.send(RedisCommand.keyless("FLUSHALL")).toCompletableFuture().join();
        holder = process(address);
        waiter = process(address);
        Path file = folder.resolve("worker-1" + History.SUFFIX);
        history = History.create(file);
        tail = new HistoryTail(file);
    }

    private static Holdfast process(RedisAddress address) {
        return Holdfast.builder()
                .connector(JedisConnector.connect(address))
                .closeWait(Duration.ZERO)
                .build();
    }

    @AfterEach
    void close() {
        holder.close();
        waiter.close();
        history.close();
        raw.close();
    }

    @Test
    void lines_ofAFreeLockNobodyUsed_showDashes() {
        assertThat(table.lines(List.of(holder.inspect(LOCK))).get(1).split(" +"))
                .containsExactly("LOCK HOLDER WAIT TTL ms FENCING TOKEN TAKEN P50 ms P99 ms".split(" "));
        assertThat(row()).isEqualTo(new Row(LOCK, "-", "0", "-", "-", "0", "-", "-"));
    }

    @Test
    void lines_ofAHeldLock_showHolderTtlAndToken() {
        try (Lease lease = holder.tryLock(LOCK, TTL).orElseThrow()) {
            Row row = row();
            assertThat(row.holder()).isEqualTo("w/" + PID);
            assertThat(row.token()).isEqualTo(Long.toString(lease.fencingToken()));
            assertThat(row.waiting()).isEqualTo("0");
            long shown = Long.parseLong(row.ttl().replace(",", ""));
            assertThat(shown)
                    .isGreaterThanOrEqualTo(pttl())
                    .isLessThanOrEqualTo(TTL.toMillis())
                    .isGreaterThan(TTL.toMillis() / 2);
        }
        assertThat(row().holder()).as("after the release").isEqualTo("-");
    }

    @Test
    void lines_ofALockSomebodyWaitsFor_countTheLivingOnly() {
        Lease lease = holder.tryLock(LOCK, TTL).orElseThrow();
        CompletableFuture<Lease> waiting =
                waiter.lock(LOCK, options -> options.ttl(TTL).wait(TTL)).acquireAsync();
        await().untilAsserted(() -> assertThat(row().waiting()).isEqualTo("1"));
        alive = false;
        assertThat(row().waiting()).as("one that died waiting").isEqualTo("0");
        alive = true;

        lease.release();
        assertThat(waiting.orTimeout(20, TimeUnit.SECONDS).join().release()).isTrue();
        assertThat(row().waiting()).isEqualTo("0");
    }

    @Test
    void lines_ofAHistory_showAcquisitionsAndTheLatencyOfHandOvers() {
        List<Duration> pauses = List.of(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofMillis(400));
        pauses.forEach(this::handOver);
        List<Long> nanos = handOversOf(read());
        assertThat(nanos).hasSize(4);

        Row row = row();
        assertThat(row.taken()).isEqualTo("8");
        assertThat(millis(row.p50())).isCloseTo(nanos.get(1) / 1e6, within(0.1 + nanos.get(1) / 1e8));
        assertThat(millis(row.p99())).isCloseTo(nanos.get(3) / 1e6, within(1 + nanos.get(3) / 1e8));
        assertThat(millis(row.p99())).as("the slow one").isGreaterThanOrEqualTo(400);
        assertThat(Row.of(table.lines(List.of(holder.inspect("order:2"))).get(2)))
                .as("another lock")
                .isEqualTo(new Row("order:2", "-", "0", "-", "-", "0", "-", "-"));
    }

    /** Somebody else's lock in the same place has no token, and must not end the demo. */
    @Test
    void lines_ofAForeignLock_showWhatThereIs() {
        raw.send(RedisCommand.keyed("SET", "holdfast:lock:" + LOCK, "theirs", "PX", "30000"))
                .toCompletableFuture()
                .join();
        Row row = row();
        assertThat(row.token()).isEqualTo("-");
        assertThat(millis(row.ttl())).isBetween(15_000.0, 30_000.0);
    }

    /** One takes the lock, a second waits for it, and gets it that long after the first said that it leaves. */
    private void handOver(Duration pause) {
        Operation first = history.next(LOCK);
        first.invoked(TTL);
        Lease lease = holder.tryLock(LOCK, TTL).orElseThrow();
        first.granted(lease);
        Operation second = history.next(LOCK);
        second.invoked(TTL);
        CompletableFuture<Lease> waiting =
                waiter.lock(LOCK, options -> options.ttl(TTL).wait(TTL)).acquireAsync();
        await().until(() -> holder.inspect(LOCK).waiting().size() == 1);
        first.record(Kind.LEFT);
        await().pollDelay(pause).until(() -> true);
        lease.release();
        Lease next = waiting.orTimeout(20, TimeUnit.SECONDS).join();
        second.granted(next);
        second.record(Kind.LEFT);
        next.release();
    }

    /** Gives the board what was recorded, as the demo does. */
    private List<Event> read() {
        tail.next(events::add);
        events.forEach(board::accept);
        board.settle(System.nanoTime() + TimeUnit.SECONDS.toNanos(1));
        return events;
    }

    /** From each first LEFT to the GRANTED behind it, in ascending order. */
    private static List<Long> handOversOf(List<Event> all) {
        List<Event> steps = all.stream()
                .filter(event -> event.kind() == Kind.LEFT || event.kind() == Kind.GRANTED)
                .toList(); // granted, left, granted, left, of each pair
        List<Long> nanos = new ArrayList<>();
        for (int i = 0; i < steps.size(); i += 4) {
            nanos.add(steps.get(i + 2).nanos() - steps.get(i + 1).nanos());
        }
        return nanos.stream().sorted().toList();
    }

    private Row row() {
        return Row.of(table.lines(List.of(holder.inspect(LOCK))).get(2));
    }

    private long pttl() {
        Object left = raw.send(RedisCommand.keyed("PTTL", "holdfast:lock:" + LOCK))
                .toCompletableFuture()
                .join();
        return (Long) left;
    }

    private static double millis(String cell) {
        return Double.parseDouble(cell.replace(",", ""));
    }
}
