// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.lettuce.LettuceConnector;
import io.holdfast.spi.RedisAddress;
import io.holdfast.testkit.HoldfastTest;
import io.holdfast.testkit.RawRedis;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An operator takes a lock away over HTTP: the grant that was looked at, with a reason, and on record. */
@HoldfastTest
class ForceReleaseHttpTest {
    private static final Duration TTL = Duration.ofMinutes(10);
    private static final String REASON = "host-b is gone, ticket 815";
    private static final String USER = "X-Test-User";
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final List<AuditEvent> AUDITED = new CopyOnWriteArrayList<>();

    private static ServletWebServerApplicationContext application;
    private static Holdfast elsewhere;

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.holdfast.audit");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private RawRedis redis;

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Holdfast holdfast(RedisAddress server) {
            return process(server).build();
        }

        /** What an {@code AuditEventRepository} would keep. */
        @Bean
        ApplicationListener<AuditApplicationEvent> auditor() {
            return event -> AUDITED.add(event.getAuditEvent());
        }

        /** In the place of whatever logs people in. */
        @Bean
        Filter login() {
            return (request, response, chain) -> {
                String user = ((HttpServletRequest) request).getHeader(USER);
                chain.doFilter(user == null ? request : new LoggedIn((HttpServletRequest) request, user), response);
            };
        }
    }

    private static final class LoggedIn extends HttpServletRequestWrapper {
        private final String user;

        LoggedIn(HttpServletRequest request, String user) {
            super(request);
            this.user = user;
        }

        @Override
        public Principal getUserPrincipal() {
            return () -> user.replace("\\n", "\n");
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
                        "management.endpoints.web.exposure.include=locks",
                        "management.endpoint.locks.force-release=true")
                .run();
        elsewhere = process(server).note("host-b/4711").build();
    }

    @AfterAll
    static void stop() {
        elsewhere.close();
        application.close();
    }

    @BeforeEach
    void look(EmbeddedRedis server) {
        redis = new RawRedis(server.host(), server.port());
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void lookAway() {
        logger.detachAppender(lines);
        AUDITED.clear();
        redis.call("FLUSHALL");
        redis.close();
    }

    private record Answer(int status, String text, JsonNode body) {}

    private static String with(Object fencingToken, String reason) {
        return JsonMapper.shared()
                .writeValueAsString(Map.of("fencingToken", fencingToken.toString(), "reason", reason));
    }

    private static Answer post(String key, String json, String... headers) throws IOException, InterruptedException {
        HttpResponse<String> response = send(
                key, "POST", json, Stream.concat(Stream.of("Content-Type", "application/json"), Stream.of(headers)));
        return new Answer(
                response.statusCode(), response.body(), JsonMapper.shared().readTree(response.body()));
    }

    private static HttpResponse<String> send(String path, String method, String body, Stream<String> headers)
            throws IOException, InterruptedException {
        int port = application.getWebServer().getPort();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + port + "/actuator/locks/" + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .headers(headers.toArray(String[]::new));
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private String onlyLine() {
        assertThat(lines.list).hasSize(1);
        assertThat(lines.list.get(0).getLevel()).isEqualTo(Level.WARN);
        return lines.list.get(0).getFormattedMessage();
    }

    @Test
    void post_ofTheGrantLookedAt_takesItAndSaysFromWhom() throws Exception {
        Lease held = elsewhere.tryLock("invoices/2026/07:pdf", TTL).orElseThrow();

        Answer answer = post("invoices/2026/07:pdf", with(held.fencingToken(), REASON));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().at("/released").asBoolean()).isTrue();
        assertThat(answer.body().at("/from/process").asString()).isEqualTo("host-b/4711");
        assertThat(answer.text()).as("no token").doesNotContain(held.token().substring(0, 22));
        assertThat(redis.exists("holdfast:lock:invoices/2026/07:pdf")).isFalse();
        assertThat(onlyLine())
                .isEqualTo("Lock force-release done: invoices/2026/07:pdf, fencing token " + held.fencingToken()
                        + ", asked for by somebody unnamed, reason: " + REASON);
    }

    @Test
    void post_byAUser_isOnRecordAsTheirs() throws Exception {
        Lease held = elsewhere.tryLock("order:42", TTL).orElseThrow();

        assertThat(post("order:42", with(held.fencingToken(), "订单卡住了"), USER, "alice")
                        .status())
                .isEqualTo(200);

        assertThat(onlyLine()).contains("asked for by alice, reason: 订单卡住了");
        assertThat(AUDITED).hasSize(1);
        AuditEvent event = AUDITED.get(0);
        assertThat(event.getPrincipal()).isEqualTo("alice");
        assertThat(event.getType()).isEqualTo("LOCK_FORCE_RELEASE");
        assertThat(event.getData())
                .isEqualTo(Map.of(
                        "lock", "order:42",
                        "fencingToken", Long.toString(held.fencingToken()),
                        "reason", "订单卡住了",
                        "outcome", "done"));
    }

    @Test
    void post_byAUserWhoseNameHasALineBreak_staysOneLine() throws Exception {
        Lease held = elsewhere.tryLock("order:42", TTL).orElseThrow();

        post("order:42", with(held.fencingToken(), REASON), USER, "mallory\\nLock force-release done: a:b");

        assertThat(onlyLine())
                .doesNotContain("\n")
                .contains("asked for by mallory\\u000aLock force-release done: a:b, reason: ");
    }

    @Test
    void post_ofAnotherGrantThanTheOneLookedAt_isAConflictAndTakesNothing() throws Exception {
        long seen;
        try (Lease earlier = elsewhere.tryLock("order:42", TTL).orElseThrow()) {
            seen = earlier.fencingToken();
        }
        Lease now = elsewhere.tryLock("order:42", TTL).orElseThrow();

        Answer answer = post("order:42", with(seen, REASON));

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body().at("/error").asString())
                .isEqualTo("nothing was taken: the lock is held, but not with fencing token " + seen);
        assertThat(answer.body().at("/now/holder/fencingToken").asString())
                .isEqualTo(Long.toString(now.fencingToken()));
        assertThat(answer.text()).as("no token").doesNotContain(now.token().substring(0, 22));
        assertThat(redis.get("holdfast:lock:order:42")).isEqualTo(now.token());
        assertThat(onlyLine()).startsWith("Lock force-release refused, it is another grant's: order:42, ");
    }

    @Test
    void post_ofAFreeLock_isNotFoundAndOnRecord() throws Exception {
        assertThat(post("order:42", with(4711, REASON)).status()).isEqualTo(404);

        assertThat(onlyLine()).startsWith("Lock force-release refused, nobody held it: order:42, fencing token 4711,");
    }

    @Test
    void post_ofALockWithoutFencingToken_isAskedForWithZero() throws Exception {
        redis.call("SET", "holdfast:lock:order:42", "a forgotten lock");

        assertThat(post("order:42", with(4711, REASON)).status()).isEqualTo(409);
        assertThat(redis.exists("holdfast:lock:order:42")).isTrue();
        assertThat(post("order:42", with(0, REASON)).status()).isEqualTo(200);
        assertThat(redis.exists("holdfast:lock:order:42")).isFalse();
    }

    @Test
    void post_serverDown_isUnavailableAndOnRecord(EmbeddedRedis server) throws Exception {
        redis.close();
        server.kill();

        Answer answer = post("order:42", with(4711, REASON));

        server.restart();
        redis = new RawRedis(server.host(), server.port());
        assertThat(answer.status()).isEqualTo(503);
        assertThat(onlyLine()).startsWith("Lock force-release failed, the lock may have been taken: order:42, ");
        Awaitility.await()
                .ignoreExceptions()
                .until(() -> !elsewhere.inspect("order:42").isHeld());
    }

    @ParameterizedTest
    @CsvSource({
        "{}, fencingToken is missing",
        "'{\"reason\": \"stuck\"}', fencingToken is missing",
        "'{\"fencingToken\": TOKEN}', reason is missing",
        "'{\"fencingToken\": TOKEN, \"reason\": \" \\t\"}', reason is missing",
        "'{\"fencingToken\": TOKEN, \"reason\": \"a\\nLock force-release done\"}', not text (code 10)",
        "'{\"fencingToken\": TOKEN, \"reason\": \"a\\u001b[2J\"}', not text (code 27)",
        "'{\"fencingToken\": TOKEN, \"reason\": \"a\\u2028b\"}', not text (code 8232)",
        "'{\"fencingToken\": TOKEN, \"reason\": \"a\\u202eb\"}', not text (code 8238)",
        "'{\"fencingToken\": TOKEN, \"reason\": \"LONG\"}', at most 200 characters",
    })
    void post_withoutTokenOrFitReason_isABadRequestAndTakesNothing(String json, String why) throws Exception {
        Lease held = elsewhere.tryLock("order:42", TTL).orElseThrow();

        Answer answer = post(
                "order:42",
                json.replace("TOKEN", Long.toString(held.fencingToken())).replace("LONG", "x".repeat(201)));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().at("/error").asString()).contains(why);
        assertThat(redis.get("holdfast:lock:order:42")).isEqualTo(held.token());
        assertThat(lines.list).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "1e3", "99999999999999999999"})
    void post_withATokenThatIsNoNumber_isABadRequest(String token) throws Exception {
        assertThat(post("order:42", with(token, REASON)).status()).isEqualTo(400);
    }

    @Test
    void post_withATokenAsANumber_takesIt() throws Exception {
        Lease held = elsewhere.tryLock("order:42", TTL).orElseThrow();

        String json = "{\"fencingToken\": " + held.fencingToken() + ", \"reason\": \"stuck\"}";

        assertThat(post("order:42", json).status()).isEqualTo(200);
    }

    /** What a link, an image or a form on somebody else's page could send, with the cookies of whoever looks at it. */
    @ParameterizedTest
    @CsvSource({
        "DELETE, application/json, 405",
        "PUT, application/json, 405",
        "POST, application/x-www-form-urlencoded, 415",
        "POST, text/plain, 415",
        "POST, multipart/form-data; boundary=x, 415",
    })
    void anythingButAPostOfJson_isRefusedAndTakesNothing(String method, String type, int status) throws Exception {
        Lease held = elsewhere.tryLock("order:42", TTL).orElseThrow();
        String query = "?fencingToken=" + held.fencingToken() + "&reason=stuck";

        assertThat(send("order:42" + query, method, with(held.fencingToken(), REASON), Stream.of("Content-Type", type))
                        .statusCode())
                .isEqualTo(status);

        assertThat(redis.get("holdfast:lock:order:42")).isEqualTo(held.token());
        assertThat(lines.list).isEmpty();
    }
}
