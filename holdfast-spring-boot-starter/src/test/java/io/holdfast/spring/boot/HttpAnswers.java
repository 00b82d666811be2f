// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lock;
import io.holdfast.LockLostException;
import io.holdfast.LockManager;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.lettuce.LettuceConnector;
import io.holdfast.spi.RedisAddress;
import io.holdfast.testkit.RawRedis;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What a caller gets over real HTTP, the same from both kinds of web application. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HttpAnswers {
    private static final Duration TTL = Duration.ofMinutes(1);

    private final HttpClient http = HttpClient.newHttpClient();
    private EmbeddedRedis server;
    private RawRedis redis;
    private ConfigurableApplicationContext application;

    abstract WebApplicationType type();

    abstract int busyStatus();

    abstract boolean showsKey();

    @BeforeAll
    void start() {
        server = EmbeddedRedis.start();
        redis = new RawRedis(server.host(), server.port());
        application = new SpringApplicationBuilder(Application.class)
                .web(type())
                .run(
                        "--server.port=0",
                        "--spring.main.banner-mode=off",
                        "--spring.data.redis.port=" + server.port(),
                        "--spring.data.redis.timeout=30s", // a busy machine takes its time to load a client's classes
                        "--holdfast.web.busy-status=" + busyStatus(),
                        "--holdfast.web.include-key=" + showsKey());
    }

    @AfterAll
    void stop() {
        application.close();
        redis.close();
        server.close();
    }

    @Test
    void free_isAnsweredByTheController() throws Exception {
        assertThat(get("/pay/1").body()).isEqualTo("paid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"payMono", "payFlux"})
    void publisher_ofAMethodWithLock_runsUnderIt(String path) throws Exception {
        assertThat(get("/" + path + "/6").body()).contains("held: true");
        assertThat(redis.exists("holdfast:lock:order:6")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pay", "payAsync", "payMono", "payFlux"})
    void busy_isAProblemWithATimeToComeBack(String path) throws Exception {
        hold("2");
        HttpResponse<String> answer = get("/" + path + "/2");
        assertProblem(answer, busyStatus(), "lock-busy");
        assertThat(Integer.parseInt(retryAfter(answer))).isBetween(30, 60);
        assertThat(answer.body()).contains("\"instance\":\"/" + path + "/2\"").doesNotContain("rival");
        assertThat(answer.body().contains("\"key\":\"order:2\"")).isEqualTo(showsKey());
    }

    @Test
    void lost_is500_withoutATimeToComeBack() throws Exception {
        HttpResponse<String> answer = get("/lose/3");
        assertProblem(answer, 500, "lock-lost");
        assertThat(answer.headers().firstValue("Retry-After")).isEmpty();
    }

    @Test
    void redisDown_is503_andDoesNotSayWhere() throws Exception {
        HttpResponse<String> answer = get("/payElsewhere/4");
        assertProblem(answer, 503, "lock-unavailable");
        assertThat(retryAfter(answer)).isEqualTo("1");
        assertThat(answer.body()).doesNotContain("127.0.0.1", "redis");
    }

    @Test
    void ownHandlerOfTheApplication_evenForAnyException_isAskedFirst() throws Exception {
        hold("5");
        HttpResponse<String> answer = get("/own/5");
        assertThat(answer.statusCode()).isEqualTo(418);
        assertThat(answer.body()).isEqualTo("mine: LockNotAcquiredException");
    }

    private static void assertProblem(HttpResponse<String> answer, int status, String type) {
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(answer.body()).contains("\"type\":\"urn:holdfast:" + type + "\"", "\"status\":" + status);
    }

    private static String retryAfter(HttpResponse<String> answer) {
        return answer.headers().firstValue("Retry-After").orElseThrow();
    }

    private void hold(String order) {
        redis.call("SET", "holdfast:lock:order:" + order, "rival", "PX", "60000");
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        URI uri = URI.create("http://localhost:" + port + path);
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Orders.class, ReactiveOrders.class, OwnOrders.class, OwnAdvice.class})
    static class Application {}

    /** Locked by Spring's advisor, while the publisher lasts. */
    @RestController
    static class ReactiveOrders {
        private final LockManager locks;

        ReactiveOrders(LockManager locks) {
            this.locks = locks;
        }

        @Lock(key = "order:{id}", ttlMs = 60_000)
        @GetMapping("/payMono/{id}")
        public Mono<String> payMono(@PathVariable("id") String id) {
            // It asks Redis and blocks for that, which threads of clients and web servers must not.
            return Mono.fromCallable(
                            () -> "held: " + locks.inspect("order:" + id).isHeld())
                    .subscribeOn(Schedulers.boundedElastic());
        }

        @Lock(key = "order:{id}", ttlMs = 60_000)
        @GetMapping("/payFlux/{id}")
        public Flux<String> payFlux(@PathVariable("id") String id) {
            return Flux.concat(Mono.just("paid, "), payMono(id));
        }
    }

    @RestController
    static class Orders {
        private final LockManager locks;

        Orders(LockManager locks) {
            this.locks = locks;
        }

        @GetMapping("/pay/{id}")
        String pay(@PathVariable("id") String id) {
            return locks.withLock("order:" + id, TTL, () -> "paid");
        }

        @GetMapping("/payAsync/{id}")
        CompletableFuture<String> payAsync(@PathVariable("id") String id) {
            return locks.lock("order:" + id)
                    .acquireAsync()
                    .thenCompose(lease -> lease.releaseAsync().thenApply(released -> "paid"));
        }

        @GetMapping("/lose/{id}")
        String lose(@PathVariable("id") String id) throws LockLostException {
            return locks.withLock("order:" + id, Duration.ofMillis(20), () -> {
                await("order:" + id);
                return "too late";
            });
        }

        private void await(String key) {
            org.awaitility.Awaitility.await().until(() -> !locks.inspect(key).isHeld());
        }

        @GetMapping("/payElsewhere/{id}")
        String payElsewhere(@PathVariable("id") String id) {
            LettuceConnector nowhere = LettuceConnector.connect(RedisAddress.parse("redis://127.0.0.1:1"));
            try (Holdfast elsewhere = Holdfast.builder().connector(nowhere).build()) {
                return elsewhere.withLock("order:" + id, TTL, () -> "paid");
            }
        }
    }

    @RestController
    static class OwnOrders {
        private final LockManager locks;

        OwnOrders(LockManager locks) {
            this.locks = locks;
        }

        @GetMapping("/own/{id}")
        String pay(@PathVariable("id") String id) {
            return locks.withLock("order:" + id, TTL, () -> "paid");
        }
    }

    /** Without an order, as most are, and for everything. */
    @ControllerAdvice(assignableTypes = OwnOrders.class)
    static class OwnAdvice {
        @ExceptionHandler
        ResponseEntity<String> answer(RuntimeException e) {
            return ResponseEntity.status(418).body("mine: " + e.getClass().getSimpleName());
        }
    }
}
