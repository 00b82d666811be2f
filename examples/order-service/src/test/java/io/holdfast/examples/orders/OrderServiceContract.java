// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Lease;
import io.holdfast.LockManager;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.spi.RedisConnector;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettucePoolingClientConfiguration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What the service does over HTTP, whatever database it has. */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
abstract class OrderServiceContract {
    private final EmbeddedRedis redis = EmbeddedRedis.start();
    private final RedisCli cli = new RedisCli(redis);
    private Running service;

    /** Starts the service; the folder is for a database in files. */
    abstract Running start(EmbeddedRedis redis, Path folder);

    @BeforeAll
    void start(@TempDir Path folder) {
        service = start(redis, folder);
    }

    @AfterAll
    void stop() {
        if (service != null) {
            service.close();
        }
        redis.close();
    }

    private LockManager locks() {
        return service.bean(LockManager.class);
    }

    private OrderRepository orders() {
        return service.bean(OrderRepository.class);
    }

    private Lease taken(String key) {
        return locks().tryLock(key, Duration.ofSeconds(20)).orElseThrow();
    }

    private int ordersOf(long user) {
        return service.bean(JdbcClient.class)
                .sql("SELECT COUNT(*) FROM orders WHERE user_id = ?")
                .param(user)
                .query(Integer.class)
                .single();
    }

    @Test
    void create_twoHundredTimesAtOnceByOneUser_makesOneOrder() {
        List<CompletableFuture<HttpResponse<String>>> answers =
                LongStream.range(0, 200).mapToObj(i -> service.create(7)).toList();

        assertThat(answers)
                .extracting(answer -> answer.join().statusCode())
                .containsOnly(201, 409)
                .containsOnlyOnce(201);
        assertThat(ordersOf(7)).isOne();
    }

    @Test
    void create_byDifferentUsersAtOnce_isRefusedToNone() {
        List<CompletableFuture<HttpResponse<String>>> answers =
                LongStream.range(100, 120).mapToObj(service::create).toList();

        assertThat(answers).extracting(answer -> answer.join().statusCode()).containsOnly(201);
    }

    @Test
    void create_whileAnotherOfTheSameUserIsUnderWay_isToldInTheCallersLanguage() {
        try (Lease other = taken("order_create_lock:8")) {
            assertToldInBothLanguages(
                    409,
                    new Told("正在处理其他订单，请稍后重试", "Another order of yours is being processed. Please try again later."),
                    language -> service.send("POST", "/orders", Running.order(8), language));
        }
        assertThat(ordersOf(8)).isZero();
    }

    @Test
    void orderInUse_isRefusedByWhateverNeedsItsLock() {
        long id = Running.id(service.create(9).join());
        String sn = orders().find(id).orElseThrow().sn();

        assertRefusedWhileTaken("order:" + id, "POST", "/orders/" + id + "/pay");
        assertRefusedWhileTaken("order_update_lock:id:" + id, "PUT", "/orders/" + id + "/status?status=PAID");
        assertRefusedWhileTaken("order_update_lock:sn:" + sn, "PUT", "/orders/sn/" + sn + "/status?status=PAID");
        assertRefusedWhileTaken("order_delete_lock:" + id, "DELETE", "/orders/" + id);
        assertThat(service.get("/orders/" + id)).contains("PENDING");
    }

    private void assertRefusedWhileTaken(String key, String method, String path) {
        try (Lease other = taken(key)) {
            assertToldInBothLanguages(
                    409,
                    new Told("订单正在处理中，请稍后重试", "The order is being processed. Please try again later."),
                    language -> service.send(method, path, "", language));
        }
    }

    /** As document 003 has it: three tries, that far apart. A payment is tried once. */
    @Test
    void busyLock_isTriedAsOftenAsTheDocumentSays(CapturedOutput output) {
        long id = Running.id(service.create(17).join());
        String sn = orders().find(id).orElseThrow().sn();
        String paid = "/status?status=PAID";

        assertTries(2, 50, refusal(output, "order_update_lock:id:" + id, () -> put("/orders/" + id + paid)));
        assertTries(2, 50, refusal(output, "order_update_lock:sn:" + sn, () -> put("/orders/sn/" + sn + paid)));
        assertTries(2, 50, refusal(output, "order_delete_lock:" + id, () -> delete("/orders/" + id)));
        assertTries(0, 0, refusal(output, "order:" + id, () -> service.payAsync(id)));
        // Last, so that nothing but the pauses takes its time.
        assertTries(2, 100, refusal(output, "order_create_lock:17", () -> service.create(17)));
    }

    private static void assertTries(int retries, int apart, MatchResult refusal) {
        assertThat(refusal.group(1)).as(refusal.group()).isEqualTo(String.valueOf(retries));
        assertThat(Long.parseLong(refusal.group(2))).as(refusal.group()).isGreaterThanOrEqualTo((long) retries * apart);
    }

    private MatchResult refusal(
            CapturedOutput output, String key, Supplier<CompletableFuture<HttpResponse<String>>> call) {
        try (Lease other = taken(key)) {
            assertThat(call.get().join().statusCode()).isEqualTo(409);
        }
        return Pattern.compile("Lock not acquired: " + Pattern.quote(key) + " is busy, (\\d+) retries in (\\d+) ms")
                .matcher(output)
                .results()
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'items':[{'sku':'sku001','quantity':2}],'amountCents':9900}",
                "{'userId':18,'amountCents':9900}",
                "{'userId':18,'items':[],'amountCents':9900}",
                "{'userId':18,'items':[{'sku':'sku001','quantity':0}],'amountCents':9900}",
                "{'userId':18,'items':[{'sku':' ','quantity':1}],'amountCents':9900}",
                "{'userId':18,'items':[{'sku':'sku001','quantity':1}],'amountCents':-1}",
                "{'userId':18,'items':[{'sku':'sku001','quantity':1},{'sku':'sku001','quantity':1}],'amountCents':9900}"
            })
    void create_ofWhatIsNoOrder_isABadRequest(String order) {
        HttpResponse<String> answer = service.send("POST", "/orders", order.replace('\'', '"'), "en");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(ordersOf(18)).isZero();
    }

    private record Told(String chinese, String english) {}

    private static void assertToldInBothLanguages(
            int status, Told told, Function<String, HttpResponse<String>> caller) {
        Map<String, String> expected = Map.of("zh-CN,zh;q=0.9,en;q=0.8", told.chinese(), "en-GB", told.english());
        expected.forEach((language, text) -> {
            HttpResponse<String> answer = caller.apply(language);
            assertThat(answer.statusCode()).isEqualTo(status);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(answer.headers().firstValueAsLong("Retry-After")).isPresent();
            assertThat(answer.body()).contains("\"detail\":\"" + text + "\"");
        });
    }

    @Test
    void order_throughItsLife() {
        long id = Running.id(service.create(10).join());

        assertThat(service.pay(id, "en").body()).contains("\"PAID\"");
        assertThat(service.pay(id, "en").statusCode()).isEqualTo(409);
        assertThat(service.send("PUT", "/orders/" + id + "/status?status=SHIPPED", "", "en")
                        .statusCode())
                .isEqualTo(200);
        assertThat(service.send("DELETE", "/orders/" + id, "", "zh").body()).contains("不能变更为 CANCELLED");
        assertThat(service.send("DELETE", "/orders/999999", "", "en").statusCode())
                .isEqualTo(404);
    }

    @Test
    void write_withALowerTokenThanTheRows_isRefused() {
        long id = Running.id(service.create(14).join());
        Order order = orders().find(id).orElseThrow();
        Fence lower = Fence.token(order.fence() - 1);

        assertThat(orders().move(order, OrderStatus.PAID, lower)).isFalse();
        assertThat(orders().fenceUser(14, lower)).isFalse();
        assertThat(orders().move(order, OrderStatus.PAID, Fence.token(order.fence() + 1)))
                .isTrue();
    }

    @Test
    void leases_onTheServer_haveTheKeysAndTimesOfTheDocument() {
        long id = Running.id(service.create(11).join());
        String sn = orders().find(id).orElseThrow().sn();
        String row = "orders WHERE id = " + id;
        long other = Running.id(service.create(16).join());
        String otherRow = "orders WHERE id = " + other;

        assertLease(30, "order_create_lock:11", "user_fences WHERE user_id = 11", () -> service.create(11));
        assertLease(10, "order_update_lock:id:" + id, row, () -> put("/orders/" + id + "/status?status=PAID"));
        assertLease(10, "order_update_lock:sn:" + sn, row, () -> put("/orders/sn/" + sn + "/status?status=SHIPPED"));
        assertLease(15, "order:" + other, otherRow, () -> service.payAsync(other));
        assertLease(15, "order_delete_lock:" + other, otherRow, () -> delete("/orders/" + other));
    }

    @Test
    void redisCliLines_ofTheDocument_showTheLock() throws IOException {
        assertThat(service.create(12345).join().statusCode()).isEqualTo(201);
        List<String> lines = List.of(
                "keys \"order_*_lock:*\"", "ttl \"order_create_lock:12345\"", "get \"order_create_lock:12345\"");
        String document = Files.readString(Path.of("..", "..", "docs", "order-service.md"));

        whileHeld("user_fences WHERE user_id = 12345", () -> service.create(12345), () -> {
            await().until(() -> cli.number(lines.get(1)) > 0);
            assertThat(cli.run(lines.get(0))).contains("order_create_lock:12345");
            assertThat(cli.number(lines.get(1))).isBetween(27L, 30L);
            assertThat(cli.run(lines.get(2)).get(0))
                    .matches(".{34}\\.30000~[^/]+/" + ProcessHandle.current().pid() + "#\\d{16}");
        });
        assertThat(lines).allSatisfy(line -> assertThat(document).contains("\nredis-cli " + line + " "));
    }

    private CompletableFuture<HttpResponse<String>> put(String path) {
        return service.sendAsync("PUT", path, "");
    }

    private CompletableFuture<HttpResponse<String>> delete(String path) {
        return service.sendAsync("DELETE", path, "");
    }

    private void assertLease(
            int seconds, String key, String row, Supplier<CompletableFuture<HttpResponse<String>>> call) {
        whileHeld(row, call, () -> {
            await().until(() -> cli.number("pttl " + key) > 0);
            assertThat(cli.number("pttl " + key)).as(key).isBetween(seconds * 1000L - 3000, seconds * 1000L);
        });
    }

    /** Checks while a call is under way; it holds its lock for as long as the row it is to write belongs to somebody else. */
    private void whileHeld(String row, Supplier<CompletableFuture<HttpResponse<String>>> call, Runnable check) {
        CompletableFuture<HttpResponse<String>> answer = new TransactionTemplate(
                        service.bean(PlatformTransactionManager.class))
                .execute(transaction -> {
                    service.bean(JdbcClient.class)
                            .sql("SELECT fence FROM " + row + " FOR UPDATE")
                            .query(Long.class)
                            .single();
                    CompletableFuture<HttpResponse<String>> waiting = call.get();
                    check.run();
                    return waiting;
                });
        assertThat(answer.join().statusCode()).isIn(200, 201, 409);
    }

    /** What document 003 says of its Redis pool; the database's has the same size. */
    @Test
    void poolsAndTimeouts_areThoseOfTheDocument() {
        LettuceConnectionFactory factory = service.bean(LettuceConnectionFactory.class);
        RedisClient client = (RedisClient) factory.getRequiredNativeClient();
        LettucePoolingClientConfiguration settings =
                (LettucePoolingClientConfiguration) factory.getClientConfiguration();
        HikariDataSource database = service.bean(HikariDataSource.class);

        assertThat(client.getOptions().getSocketOptions().getConnectTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.getCommandTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(service.bean(RedisConnector.class).commandTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.getPoolConfig().getMaxTotal()).isEqualTo(10);
        assertThat(settings.getPoolConfig().getMinIdle()).isEqualTo(5);
        assertThat(settings.getPoolConfig().getDurationBetweenEvictionRuns()).isPositive(); // else nothing is kept idle
        assertThat(database.getMaximumPoolSize()).isEqualTo(10);
        assertThat(database.getMinimumIdle()).isEqualTo(5);
        assertThat(database.getConnectionTimeout()).isEqualTo(5000);
        assertThat(service.bean(AbstractPlatformTransactionManager.class).getDefaultTimeout())
                .isEqualTo(35);
    }

    @Test
    void metrics_nameTheTemplateAndNotTheKey() {
        service.create(12).join();

        String metrics = service.get("/actuator/prometheus");

        assertThat(metrics).contains("order_create_lock:{order.userId}").doesNotContain("order_create_lock:12");
    }

    @Test
    void redisDown_is503AndComesBack() {
        redis.kill();
        try {
            assertToldInBothLanguages(
                    503,
                    new Told("系统忙，请稍后重试", "The system is busy. Please try again later."),
                    language -> service.send("POST", "/orders", Running.order(13), language));
            assertThat(ordersOf(13)).isZero();
        } finally {
            redis.restart();
        }
        await().atMost(Duration.ofSeconds(30))
                .until(() -> service.create(13).join().statusCode() == 201);
    }
}
