// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockManager;
import io.holdfast.embedded.EmbeddedRedis;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the service does over HTTP, whatever database it has. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class OrderServiceContract {
    private final EmbeddedRedis redis = EmbeddedRedis.start();
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
            HttpResponse<String> chinese = service.send("POST", "/orders", Running.order(8), "zh-CN");
            HttpResponse<String> english = service.send("POST", "/orders", Running.order(8), "en");

            assertThat(chinese.statusCode()).isEqualTo(409);
            assertThat(chinese.body()).contains("正在处理其他订单，请稍后重试");
            assertThat(chinese.headers().firstValueAsLong("Retry-After")).isPresent();
            assertThat(english.body()).contains("Another order of yours is being processed");
        }
        assertThat(ordersOf(8)).isZero();
    }

    @Test
    void orderInUse_isRefusedByWhateverNeedsItsLock() {
        long id = Running.id(service.create(9).join());
        String sn = service.get("/orders/" + id).replaceAll(".*\"sn\":\"([^\"]+)\".*", "$1");

        assertThat(statusWhileTaken("order:" + id, "POST", "/orders/" + id + "/pay"))
                .isEqualTo(409);
        assertThat(statusWhileTaken("order_update_lock:id:" + id, "PUT", "/orders/" + id + "/status?status=PAID"))
                .isEqualTo(409);
        assertThat(statusWhileTaken("order_update_lock:sn:" + sn, "PUT", "/orders/sn/" + sn + "/status?status=PAID"))
                .isEqualTo(409);
        assertThat(statusWhileTaken("order_delete_lock:" + id, "DELETE", "/orders/" + id))
                .isEqualTo(409);
        assertThat(service.get("/orders/" + id)).contains("PENDING");
    }

    private int statusWhileTaken(String key, String method, String path) {
        try (Lease other = taken(key)) {
            HttpResponse<String> refused = service.send(method, path, "", "zh");
            assertThat(refused.body()).contains("订单正在处理中，请稍后重试");
            return refused.statusCode();
        }
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
        OrderRepository orders = service.bean(OrderRepository.class);
        Order order = orders.find(id).orElseThrow();
        Fence lower = Fence.token(order.fence() - 1);

        assertThat(orders.move(order, OrderStatus.PAID, lower)).isFalse();
        assertThat(orders.fenceUser(14, lower)).isFalse();
        assertThat(orders.move(order, OrderStatus.PAID, Fence.token(order.fence() + 1)))
                .isTrue();
    }

    @Test
    void lockKey_isTheOneWrittenInTheAnnotation() {
        long id = Running.id(service.create(11).join());
        try (Lease other = taken("order_update_lock:id:" + id)) {
            assertThat(locks().inspect("order_update_lock:id:" + id).isHeld()).isTrue();
            assertThat(redisKeys()).contains("order_update_lock:id:" + id);
        }
    }

    private List<String> redisKeys() {
        return List.copyOf(service.bean(StringRedisTemplate.class).keys("order_*_lock:*"));
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

        HttpResponse<String> down = service.send("POST", "/orders", Running.order(13), "zh");
        assertThat(down.statusCode()).isEqualTo(503);
        assertThat(down.body()).contains("系统忙，请稍后重试");
        assertThat(ordersOf(13)).isZero();

        redis.restart();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> service.create(13).join().statusCode() == 201);
    }
}
