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
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The profile {@code degrade} in an outage that began when some customers had already ordered under a lock. */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class DegradeTest {
    private static final long RETURNING = 1;
    private static final long ALSO_RETURNING = 2;
    private static final long NEW = 3;
    private static final long ALSO_NEW = 4;
    private static final long WAITING = 5;

    private final EmbeddedRedis redis = EmbeddedRedis.start();
    private Running service;
    private OrderRepository orders;
    private long waitingOrder;

    @BeforeAll
    void orderAndLoseRedis(@TempDir Path database) {
        service = Running.start(redis, database, "--spring.profiles.active=degrade");
        orders = service.bean(OrderRepository.class);
        for (long user : List.of(RETURNING, ALSO_RETURNING)) {
            service.pay(Running.id(service.create(user).join()), "en");
        }
        waitingOrder = Running.id(service.create(WAITING).join());
        assertThat(orders.userFence(RETURNING)).as("a token").isGreaterThan(1_000_000);
        redis.kill();
    }

    @AfterAll
    void stop() {
        if (service != null) {
            service.close();
        }
        redis.close();
    }

    private static List<Integer> twentyTimesAtOnce(Supplier<CompletableFuture<HttpResponse<String>>> call) {
        List<CompletableFuture<HttpResponse<String>>> answers =
                Stream.generate(call).limit(20).toList();
        return answers.stream().map(answer -> answer.join().statusCode()).toList();
    }

    @Test
    void newCustomer_isServedAndTheLogSaysSo(CapturedOutput output) {
        long id = Running.id(service.create(NEW).join());

        assertThat(service.pay(id, "en").body()).contains("\"PAID\"");
        assertThat(output).contains("Lock DEGRADED: order_create_lock:" + NEW).contains("Lock DEGRADED: order:" + id);
    }

    @Test
    void customerWhoOrderedUnderALock_isServedAgainAndAgain() {
        long token = orders.userFence(RETURNING);

        long first = Running.id(service.create(RETURNING).join());
        assertThat(service.pay(first, "en").statusCode()).isEqualTo(200);
        long second = Running.id(service.create(RETURNING).join());

        assertThat(second).isNotEqualTo(first);
        assertThat(orders.userFence(RETURNING)).isGreaterThan(token);
    }

    @Test
    void create_twentyTimesAtOnce_makesOneOrderForOldAndNewCustomers() {
        assertThat(twentyTimesAtOnce(() -> service.create(ALSO_RETURNING)))
                .containsOnly(201, 409)
                .containsOnlyOnce(201);
        assertThat(twentyTimesAtOnce(() -> service.create(ALSO_NEW)))
                .containsOnly(201, 409)
                .containsOnlyOnce(201);
    }

    @Test
    void pay_twentyTimesAtOnce_succeedsOnce() {
        long id = Running.id(service.create(20).join());

        assertThat(twentyTimesAtOnce(() -> service.payAsync(id)))
                .containsOnly(200, 409)
                .containsOnlyOnce(200);
    }

    @Test
    void twoWriters_whoReadTheSame_areNotBothAccepted() {
        Order order = orders.find(Running.id(service.create(21).join())).orElseThrow();
        Fence row = Fence.version(order.fence());
        Fence user = Fence.version(orders.userFence(21));

        assertThat(orders.move(order, order.status(), row)).isTrue();
        assertThat(orders.move(order, OrderStatus.CANCELLED, row)).isFalse();
        assertThat(orders.fenceUser(21, user)).isTrue();
        assertThat(orders.fenceUser(21, user)).isFalse();
    }

    @Test
    void holderOfALockFromBefore_isRefusedAfterAWriteWithoutALock() {
        long userToken = orders.userFence(WAITING);
        Order before = orders.find(waitingOrder).orElseThrow();

        assertThat(service.pay(waitingOrder, "en").statusCode()).isEqualTo(200);
        Running.id(service.create(WAITING).join());

        Order now = orders.find(waitingOrder).orElseThrow();
        assertThat(orders.move(now, OrderStatus.SHIPPED, Fence.token(before.fence())))
                .isFalse();
        assertThat(orders.fenceUser(WAITING, Fence.token(userToken))).isFalse();
    }

    @Test
    void holderOfALock_afterTheOutage_passesWhatTheOutageCounted() {
        long id = Running.id(service.create(22).join());
        long counted = orders.find(id).orElseThrow().fence();
        redis.restart();
        try {
            await().atMost(Duration.ofSeconds(30)).until(this::locksAreBack);

            assertThat(service.pay(id, "en").statusCode()).isEqualTo(200);
            assertThat(orders.find(id).orElseThrow().fence()).isGreaterThan(counted + 1_000_000);
        } finally {
            redis.kill();
        }
    }

    private boolean locksAreBack() {
        try (Lease lease = service.bean(LockManager.class)
                .tryLock("probe", Duration.ofSeconds(1))
                .orElseThrow()) {
            return !lease.isDegraded();
        }
    }
}
