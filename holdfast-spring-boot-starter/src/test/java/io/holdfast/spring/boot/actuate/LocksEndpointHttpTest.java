// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockListener;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.lettuce.LettuceConnector;
import io.holdfast.spi.RedisAddress;
import io.holdfast.testkit.HoldfastTest;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The endpoint as an operator has it: over HTTP, in an application with a web server, on a real Redis. */
@HoldfastTest
class LocksEndpointHttpTest {
    private static final Duration TTL = Duration.ofMinutes(10);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static ServletWebServerApplicationContext application;
    private static Holdfast locks;
    private static Holdfast elsewhere;

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Holdfast holdfast(RedisAddress server, ObjectProvider<LockListener> listeners) {
            Holdfast.Builder builder = process(server);
            listeners.orderedStream().forEach(builder::listener);
            return builder.build();
        }
    }

    private static Holdfast.Builder process(RedisAddress server) {
        return Holdfast.builder().connector(LettuceConnector.connect(server)).closeWait(Duration.ZERO);
    }

    @BeforeAll
    static void start(RedisAddress server) {
        application = (ServletWebServerApplicationContext) new SpringApplicationBuilder(Application.class)
                .initializers(context -> context.getBeanFactory().registerSingleton("server", server))
                .properties(
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "logging.level.root=warn",
                        "management.endpoints.web.exposure.include=locks,health",
                        "management.endpoint.health.show-components=always",
                        "management.endpoint.health.show-details=always")
                .run();
        locks = application.getBean(Holdfast.class);
        elsewhere = process(server).note("host-b/4711").build();
    }

    @AfterAll
    static void stop() {
        elsewhere.close();
        application.close();
    }

    @AfterEach
    void release() {
        locks.held().forEach(lease -> locks.forceRelease(lease.key()));
        elsewhere.held().forEach(lease -> elsewhere.forceRelease(lease.key()));
    }

    private record Answer(int status, String text, JsonNode body) {}

    private static Answer send(String method, String path) throws IOException, InterruptedException {
        int port = application.getWebServer().getPort();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        return new Answer(
                response.statusCode(), response.body(), JsonMapper.shared().readTree(response.body()));
    }

    @Test
    void get_tellsWhatIsHeldAndWaitedForHereAndWhatIsContended() throws Exception {
        Lease held = locks.lock("order:42", options -> options.ttl(TTL).label("order:{id}"))
                .acquire();
        assertThat(elsewhere.tryLock("stock:7", TTL)).isPresent();
        CompletableFuture<Lease> waiter = locks.lock(
                        "stock:7", options -> options.wait(TTL).label("stock:{sku}"))
                .acquireAsync();
        await().until(() -> locks.inspect("stock:7").waiting().size() == 1);
        assertThat(locks.lock("stock:7", options -> options.label("stock:{sku}"))
                        .tryAcquire())
                .isEmpty();

        Answer answer = send("GET", "locks");

        assertThat(answer.status()).isEqualTo(200);
        JsonNode lease = answer.body().at("/held/0");
        assertThat(answer.body().at("/heldCount").asInt()).isEqualTo(1);
        assertThat(lease.at("/key").asString()).isEqualTo("order:42");
        assertThat(lease.at("/label").asString()).isEqualTo("order:{id}");
        assertThat(lease.at("/fencingToken").isString())
                .as("more digits than JavaScript has")
                .isTrue();
        assertThat(lease.at("/fencingToken").asString()).isEqualTo(Long.toString(held.fencingToken()));
        assertThat(Duration.parse(lease.at("/remaining").asString())).isBetween(Duration.ofMinutes(5), TTL);
        assertThat(answer.body().at("/waitingCount").asInt()).isEqualTo(1);
        assertThat(answer.body().at("/waiting/0/key").asString()).isEqualTo("stock:7");
        assertThat(answer.body().at("/contended/0/label").asString()).isEqualTo("stock:{sku}");
        assertThat(answer.body().at("/contended/0/contended").asInt()).isEqualTo(1);
        assertThat(answer.body().at("/contended/0/timedOut").asInt()).isEqualTo(1);
        assertThat(answer.text()).as("no token").doesNotContain(held.token().substring(0, 22));
        waiter.cancel(false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"order:42", "invoices/2026/07:pdf", "with space", "Zürich:ß", "a+b", "50%", "{braces}"})
    void getKey_anyCharacters_tellsWhoHoldsItAndShowsNoToken(String key) throws Exception {
        Lease held = elsewhere.tryLock(key, TTL).orElseThrow();

        Answer answer = send("GET", "locks/" + path(key));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().at("/key").asString()).isEqualTo(key);
        assertThat(answer.body().at("/held").asBoolean()).isTrue();
        assertThat(answer.body().at("/holder/process").asString()).isEqualTo("host-b/4711");
        assertThat(answer.body().at("/holder/fencingToken").asString()).isEqualTo(Long.toString(held.fencingToken()));
        assertThat(Duration.parse(answer.body().at("/holder/ttl").asString())).isBetween(Duration.ofMinutes(5), TTL);
        assertThat(answer.body().at("/holder/since").asString()).isNotEmpty();
        assertThat(answer.text()).as("no token").doesNotContain(held.token().substring(0, 22));
    }

    @Test
    void getKey_free_saysSo() throws Exception {
        Answer answer = send("GET", "locks/order:42");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().at("/held").asBoolean()).isFalse();
        assertThat(answer.body().at("/holder").isNull()).isTrue();
    }

    @Test
    void getKey_thatCanBeNoKey_isABadRequest() throws Exception {
        Answer answer = send("GET", "locks/" + "x".repeat(513));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().at("/error").asString()).contains("at most 512 bytes");
    }

    @Test
    void getKey_serverDown_isUnavailableAndSaysWhy(EmbeddedRedis server) throws Exception {
        server.kill();

        Answer answer = send("GET", "locks/order:42");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body().at("/error").asString()).contains("Redis could not be asked");
        server.restart();
        await().ignoreExceptions().until(() -> !locks.inspect("order:42").isHeld());
    }

    @Test
    void health_isUpAndTellsOfLocks() throws Exception {
        assertThat(locks.tryLock("order:42", TTL)).isPresent();

        Answer answer = send("GET", "health/locks");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().at("/status").asString()).isEqualTo("UP");
        assertThat(answer.body().at("/details/held").asInt()).isEqualTo(1);
        assertThat(answer.body().at("/details/evictionPolicy").asString()).isEqualTo("noeviction");
    }

    /** Slashes stay: servers refuse encoded ones. */
    private static String path(String key) {
        return URLEncoder.encode(key, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }
}
