// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.FencedSql;
import io.holdfast.FencedStore;
import io.holdfast.FencedValue;
import io.holdfast.Lease;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** Writes that carry a fencing token: a stale holder's is refused, a holder's own second one is not (S4). */
public abstract class FencedWriteContract extends ProtocolContract {
    private static final Duration TTL = Duration.ofSeconds(10);
    /** Above what a double can tell apart, as real tokens are. */
    private static final long TOKEN = 1_760_000_000_000_000L << 10;

    @Test
    void store_refusesALowerTokenAndAcceptsAnEqualOne() {
        FencedStore store = locks.fencedStore();
        String balance = "balance:" + key;
        assertThat(store.get(balance)).isEmpty();
        assertThat(store.set(balance, "100", TOKEN + 1)).isTrue();
        assertThat(store.set(balance, "90", TOKEN + 1))
                .as("the holder's second write")
                .isTrue();
        assertThat(store.set(balance, "stale", TOKEN)).isFalse();
        assertThat(store.get(balance)).contains("90");
        assertThat(store.set(balance, "80", TOKEN + 2)).isTrue();
        assertThat(store.set(balance, "stale", 5))
                .as("a token with fewer digits")
                .isFalse();
        assertThat(store.get(balance)).contains("80");
    }

    @Test
    void store_refusesAHolderThatLostItsLock() {
        Lease stale = locks.tryLock(key, TTL).orElseThrow();
        backdoor.delete(lockKey());
        Lease current = another().tryLock(key, TTL).orElseThrow();
        FencedStore store = locks.fencedStore();

        assertThat(store.set("row:" + key, "new", current.fencingToken())).isTrue();
        assertThat(store.set("row:" + key, "old", stale.fencingToken())).isFalse();
        assertThat(store.get("row:" + key)).contains("new");
    }

    @Test
    void store_withTwoWritersAtOnce_neverTakesTheOlderAfterTheNewer() {
        FencedStore store = locks.fencedStore();
        String row = "row:" + key;
        race(fence -> store.set(row, Long.toString(fence), fence));
        assertThat(store.get(row)).contains(Long.toString(TOKEN + 1));
    }

    @Test
    void store_keyThatIsUnusualButFine_isTakenAsItIs() {
        FencedStore store = locks.fencedStore();
        String start = "{订单} " + key + " ";
        for (String row : new String[] {start, start + "a".repeat(512 - start.getBytes(UTF_8).length)}) {
            assertThat(store.set(row, "100", TOKEN)).isTrue();
            assertThat(raw().call("HGET", row, "value")).isEqualTo("100");
            assertThat(store.get(row)).contains("100");
        }
    }

    @Test
    void value_refusesAHolderThatLostItsLock() {
        Lease stale = locks.tryLock(key, TTL).orElseThrow();
        backdoor.delete(lockKey());
        Lease current = another().tryLock(key, TTL).orElseThrow();
        FencedValue<String> row = new FencedValue<>("initial");

        assertThat(row.set("first", stale.fencingToken()))
                .as("nobody newer yet")
                .isTrue();
        assertThat(row.set("new", current.fencingToken())).isTrue();
        assertThat(row.set("old", stale.fencingToken())).isFalse();
        assertThat(row.get()).isEqualTo("new");
    }

    @Test
    void value_withTwoWritersAtOnce_neverTakesTheOlderAfterTheNewer() {
        FencedValue<Long> row = new FencedValue<>(0L);
        race(fence -> row.set(fence, fence));
        assertThat(row.get()).isEqualTo(TOKEN + 1);
    }

    @Test
    void sql_refusesALowerTokenAndAcceptsAnEqualOne() throws SQLException {
        try (Connection table = orders()) {
            assertThat(pay(table, "PAID", TOKEN + 1)).isTrue();
            assertThat(pay(table, "SHIPPED", TOKEN + 1))
                    .as("the holder's second write")
                    .isTrue();
            assertThat(pay(table, "stale", TOKEN)).isFalse();
            assertThat(row(table)).isEqualTo("SHIPPED " + (TOKEN + 1));
            assertThat(pay(table, "DONE", TOKEN + 2)).isTrue();
            assertThat(row(table)).isEqualTo("DONE " + (TOKEN + 2));
        }
    }

    @Test
    void sql_withoutSuchARowOrWithANameThatIsNone_changesNothing() throws SQLException {
        try (Connection table = orders()) {
            assertThat(FencedSql.update(table, "orders", "id", 43, Map.of("status", "PAID"), TOKEN))
                    .isFalse();
            assertThatThrownBy(() -> FencedSql.update(
                            table, "orders; DROP TABLE orders", "id", 42, Map.of("status", "X"), TOKEN))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> FencedSql.update(table, "orders", "id", 42, Map.of("status = 'X' --", "X"), TOKEN))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(row(table)).isEqualTo("NEW 0");
        }
    }

    @Test
    void sql_withTwoWritersAtOnce_neverTakesTheOlderAfterTheNewer() throws SQLException {
        try (Connection first = orders();
                Connection second = DriverManager.getConnection(url())) {
            race(fence -> {
                try {
                    return pay(fence == TOKEN ? first : second, "by " + fence, fence);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(row(first)).isEqualTo("by " + (TOKEN + 1) + " " + (TOKEN + 1));
        }
    }

    /** The older holder writes and writes; after the newer one's first write, none of its writes may be taken. */
    private static void race(LongPredicate write) {
        CountDownLatch underWay = new CountDownLatch(20);
        CompletableFuture<Integer> older = CompletableFuture.supplyAsync(() -> {
            int accepted = 0;
            while (write.test(TOKEN)) {
                accepted++;
                underWay.countDown();
            }
            return accepted;
        });
        await().until(() -> underWay.getCount() == 0 || older.isDone());
        assertThat(underWay.getCount())
                .as("writes still to be accepted while nobody is newer")
                .isZero();
        assertThat(write.test(TOKEN + 1)).isTrue();
        assertThat(write.test(TOKEN)).isFalse();
        assertThat(older.join()).isGreaterThanOrEqualTo(20);
        assertThat(write.test(TOKEN + 1)).isTrue();
    }

    private String url() {
        return "jdbc:h2:mem:" + key.replace(':', '_');
    }

    private Connection orders() throws SQLException {
        Connection connection = DriverManager.getConnection(url());
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (id INT PRIMARY KEY, status VARCHAR(60), fence BIGINT NOT NULL)");
            statement.execute("INSERT INTO orders VALUES (42, 'NEW', 0)");
        }
        return connection;
    }

    private static boolean pay(Connection table, String status, long fence) throws SQLException {
        return FencedSql.update(table, "orders", "id", 42, Map.of("status", status), fence);
    }

    private static String row(Connection table) throws SQLException {
        try (Statement statement = table.createStatement();
                ResultSet row = statement.executeQuery("SELECT status, fence FROM orders WHERE id = 42")) {
            row.next();
            return row.getString(1) + " " + row.getLong(2);
        }
    }
}
