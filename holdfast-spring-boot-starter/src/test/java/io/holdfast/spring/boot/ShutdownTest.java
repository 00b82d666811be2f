// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockManager;
import io.holdfast.embedded.EmbeddedRedis;
import io.holdfast.testkit.HoldfastTest;
import io.holdfast.testkit.RawRedis;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** First requests end, which may still take locks; then locks; then the Redis client. */
@HoldfastTest
@ExtendWith(OutputCaptureExtension.class)
class ShutdownTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void request_underWay_finishesTakesAnotherLockAndReleasesBoth(EmbeddedRedis server, CapturedOutput output)
            throws Exception {
        ConfigurableApplicationContext application = start(server, WebApplicationType.SERVLET, "lettuce");
        Work work = application.getBean(Work.class);
        int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        CompletableFuture<HttpResponse<String>> request = HttpClient.newHttpClient()
                .sendAsync(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/work"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(work.entered.await(60, TimeUnit.SECONDS)).isTrue();

        CompletableFuture<Void> closing =
                CompletableFuture.runAsync(application::close, task -> new Thread(task).start());
        await().atMost(LONG).until(application::isClosed);
        try (RawRedis redis = new RawRedis(server.host(), server.port())) {
            assertThat(redis.exists("holdfast:lock:order:42")).isTrue();
            work.mayGoOn.countDown();
            assertThat(request.get(60, TimeUnit.SECONDS).body()).isEqualTo("both held");
            closing.get(60, TimeUnit.SECONDS);
            assertThat(redis.call("KEYS", "holdfast:lock:*")).isEqualTo(java.util.List.of());
        }
        assertThat(output).doesNotContain("WARN").doesNotContain("ERROR");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void holder_inTheBackground_isWaitedForWhileRedisIsStillThere(
            String client, EmbeddedRedis server, CapturedOutput output) throws Exception {
        ConfigurableApplicationContext application = start(server, WebApplicationType.NONE, client);
        Holdfast locks = application.getBean(Holdfast.class);
        Lease lease = locks.lock("order:42").acquire();

        CompletableFuture<Void> closing =
                CompletableFuture.runAsync(application::close, task -> new Thread(task).start());
        await().atMost(LONG).until(() -> locks.toString().contains("closed"));
        assertThat(closing).isNotDone();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.release()).isTrue();
        closing.get(60, TimeUnit.SECONDS);

        try (RawRedis redis = new RawRedis(server.host(), server.port())) {
            assertThat(redis.exists("holdfast:lock:order:42")).isFalse();
        }
        assertThat(output).doesNotContain("WARN").doesNotContain("ERROR");
    }

    private static ConfigurableApplicationContext start(EmbeddedRedis server, WebApplicationType type, String client) {
        return new SpringApplicationBuilder(Application.class)
                .web(type)
                .run(
                        "--server.port=0",
                        "--spring.main.banner-mode=off",
                        "--spring.data.redis.port=" + server.port(),
                        "--spring.data.redis.timeout=30s", // a busy machine takes its time to load a client's classes
                        "--spring.data.redis.client-type=" + client,
                        "--holdfast.close-wait=60s");
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @org.springframework.context.annotation.Import(Work.class)
    static class Application {}

    @RestController
    static class Work {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        private final LockManager locks;

        Work(LockManager locks) {
            this.locks = locks;
        }

        @GetMapping("/work")
        String work() throws InterruptedException {
            return locks.withLock("order:42", LONG, () -> {
                entered.countDown();
                assertThat(mayGoOn.await(60, TimeUnit.SECONDS)).isTrue();
                return locks.withLock("stock:7", LONG, () -> "both held");
            });
        }
    }
}
