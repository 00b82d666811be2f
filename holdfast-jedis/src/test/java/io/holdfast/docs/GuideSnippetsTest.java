// SPDX-License-Identifier: Apache-2.0
package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.DistributedLock;
import io.holdfast.FailurePolicy;
import io.holdfast.FencedSql;
import io.holdfast.FencedStore;
import io.holdfast.FencedValue;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockBackendException;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockLostException;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.LockOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** The snippets of docs/guide.md. {@link DocsSnippetsTest} compares the two. */
class GuideSnippetsTest extends SnippetServer {
    private final List<String> log = new ArrayList<>();

    private void export() {
        log.add("exported");
    }

    private void pay(int order) {
        log.add("paid " + order);
    }

    private String load(String id) {
        return "loaded " + id;
    }

    private CompletableFuture<String> build(long fencingToken) {
        return CompletableFuture.completedFuture("report " + fencingToken);
    }

    private String answer(int status, String text) {
        return status + " " + text;
    }

    @Test
    void ttl() {
        // Fixed: the work takes 2 s at most, twice that is the TTL.
        locks.withLock("order:42", Duration.ofSeconds(4), () -> pay(42));

        // Renewed: nobody knows how long it takes, but more than an hour is a fault.
        DistributedLock export = locks.lock("export:daily", o -> o.maxHold(Duration.ofHours(1)));
        export.withLock(() -> export());

        assertThat(log).containsExactly("paid 42", "exported");
    }

    @Test
    void cacheFill() {
        Map<String, String> cache = new ConcurrentHashMap<>();
        // Threads of this process are held apart by the map, processes by the lock.
        String user = cache.computeIfAbsent(
                "user:7",
                id -> locks.withLock("cachefill:" + id, Duration.ofSeconds(5), Duration.ofSeconds(2), () -> load(id)));

        assertThat(user).isEqualTo("loaded user:7");
    }

    @Test
    void fencing_sql() throws SQLException {
        try (Connection connection = orders();
                Lease lease = locks.lock("order:42").acquire()) {
            boolean accepted =
                    FencedSql.update(connection, "orders", "id", 42, Map.of("status", "PAID"), lease.fencingToken());
            if (!accepted) {
                connection.rollback(); // a newer holder has written, or there is no such row
            }
            assertThat(accepted).isTrue();
            assertThat(FencedSql.update(
                            connection, "orders", "id", 42, Map.of("status", "OLD"), lease.fencingToken() - 1))
                    .isFalse();
        }
    }

    @Test
    void fencing_sqlByHand() throws SQLException {
        try (Connection connection = orders();
                Lease lease = locks.lock("order:42").acquire()) {
            try (PreparedStatement update = connection.prepareStatement(
                    "UPDATE orders SET status = ?, fence = ? WHERE id = ? AND fence <= ?")) {
                update.setString(1, "PAID");
                update.setLong(2, lease.fencingToken());
                update.setInt(3, 42);
                update.setLong(4, lease.fencingToken());
                boolean accepted = update.executeUpdate() == 1;
                assertThat(accepted).isTrue();
            }
        }
    }

    @Test
    void fencing_redis() {
        try (Lease lease = locks.lock("balance:42").acquire()) {
            FencedStore store = locks.fencedStore();
            boolean accepted = store.set("balance:42", "100", lease.fencingToken());

            assertThat(accepted).isTrue();
            assertThat(store.get("balance:42")).contains("100");
            assertThat(store.set("balance:42", "90", lease.fencingToken() - 1)).isFalse();
        }
    }

    @Test
    void fencing_redisInOneCall() {
        try (Lease lease = locks.lock("balance:42").acquire()) {
            boolean accepted = locks.fencedStore().set("balance:42", "100", lease.fencingToken());

            assertThat(accepted).isTrue();
        }
    }

    @Test
    void fencing_plainJava() {
        try (Lease lease = locks.lock("order:42").acquire()) {
            FencedValue<String> status = new FencedValue<>("NEW");
            boolean accepted = status.set("PAID", lease.fencingToken());

            assertThat(accepted).isTrue();
            assertThat(status.set("OLD", lease.fencingToken() - 1)).isFalse();
            assertThat(status.get()).isEqualTo("PAID");
        }
    }

    @Test
    void owner() {
        String requestId = "trace-4711";
        DistributedLock order = locks.lock("order:42", o -> o.owner(requestId));
        try (Lease outer = order.acquire()) {
            try (Lease inner = order.acquire()) { // the same request, from any thread or process
                assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
            }
            assertThat(outer.isHeld()).isTrue(); // only the last release frees the lock
        }
    }

    @Test
    void async() {
        CompletableFuture<String> report = locks.lock("report:daily", o -> o.wait(Duration.ofSeconds(5)))
                .acquireAsync()
                .thenCompose(
                        lease -> build(lease.fencingToken()).whenComplete((built, failed) -> lease.releaseAsync()));

        assertThat(report.join()).startsWith("report ");
        await().until(() -> !locks.inspect("report:daily").isHeld());
    }

    @Test
    void errors() {
        assertThat(order()).isEqualTo("200 paid");
    }

    private String order() {
        try {
            locks.withLock("order:42", Duration.ofSeconds(10), Duration.ofSeconds(2), () -> pay(42));
            return answer(200, "paid");
        } catch (LockNotAcquiredException busy) {
            return answer(409, "come back in " + busy.holderTtl().orElse(Duration.ofSeconds(1)));
        } catch (LockLostException lost) {
            return answer(500, "paid without protection, to be checked: " + lost.reason());
        } catch (LockBackendException down) {
            return answer(down.isUnavailable() ? 503 : 500, "try later");
        }
    }

    @Test
    void lossWhileHeld() {
        boolean[] cancelled = new boolean[1];
        try (Lease lease = locks.lock("import:7").acquire()) {
            lease.onLost(reason -> cancelled[0] = true);
            for (int part = 0; part < 3 && !cancelled[0]; part++) {
                lease.ensureHeld(); // no I/O: throws LockLostException once the lock is lost
                pay(part);
            }
        }
        assertThat(log).hasSize(3);
    }

    @Test
    void failurePolicy() {
        DistributedLock refresh = locks.lock("cache:refresh", o -> o.onUnavailable(FailurePolicy.LOCAL));
        try (Lease lease = refresh.acquire()) {
            String note = lease.isDegraded() ? "this process only" : "fenced by " + lease.fencingToken();
            assertThat(note).startsWith("fenced by ");
        }
    }

    @Test
    void listener() {
        LongAdder lost = new LongAdder();
        Holdfast.Builder settings = Holdfast.builder().listener(new LockListener() {
            @Override
            public void lost(LockEvent event) {
                lost.increment();
            }
        });
        try (Holdfast watched = connect(settings)) {
            assertThat(watched.tryLock("listened", Duration.ofMillis(200))).isPresent();
            await().until(() -> lost.sum() == 1);
        }
    }

    @Test
    void exactKeys() {
        Holdfast.Builder settings = Holdfast.builder().exactKeys();
        try (Holdfast exact = connect(settings)) {
            Optional<Lease> lease = exact.tryLock("lock:stock:product:1001", Duration.ofSeconds(10));
            assertThat(lease).isPresent();
        }
    }

    @Test
    void options() {
        LockOptions create = LockOptions.builder()
                .ttl(Duration.ofSeconds(30))
                .maxAttempts(3)
                .retryInterval(Duration.ofMillis(100))
                .build();
        Optional<Lease> lease = locks.lock("order_create:7", create).tryAcquire();

        assertThat(lease.orElseThrow().release()).isTrue();
    }

    private static Connection orders() throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (id INT PRIMARY KEY, status VARCHAR(20))");
            statement.execute("ALTER TABLE orders ADD COLUMN fence BIGINT DEFAULT 0 NOT NULL");
            statement.execute("INSERT INTO orders (id, status) VALUES (42, 'NEW')");
        }
        return connection;
    }
}
