// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.embedded.EmbeddedRedis;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The classic: an instance stops in the middle of its work, its lock goes to another, it wakes up and writes. */
class PausedInstanceTest {
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    /** The order is PENDING all along, so that nothing but the fence tells the two payments apart. */
    @Test
    void lateWrite_ofAnInstanceThatWasPaused_isRefused(@TempDir Path folder) throws Exception {
        CountDownLatch paid = new CountDownLatch(1);
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Running other = Running.start(paysWhenTold(paid), Running.arguments(redis, folder))) {
            Path log = folder.resolve("paused.log");
            Process paused = startElsewhere(redis, folder, log);
            try {
                URI address = URI.create("http://localhost:" + port(log));
                long id = Running.id(other.create(1).join());
                CompletableFuture<HttpResponse<String>> late =
                        Running.sendAsync(address, "POST", "/orders/" + id + "/pay", "", "zh");
                await().until(() -> Files.readString(log).contains("Charging")); // it has the lock, and read the order

                signal(paused, "STOP");
                long first = fence(other, id);
                other.bean(StringRedisTemplate.class).delete("order:" + id); // as its end would, only sooner
                CompletableFuture<HttpResponse<String>> newer = other.payAsync(id);
                await().until(() -> fence(other, id) > first);
                signal(paused, "CONT");

                HttpResponse<String> refused = late.join();
                assertThat(other.get("/orders/" + id)).contains("\"PENDING\"");
                assertThat(refused.statusCode()).isEqualTo(409);
                assertThat(refused.body()).contains("订单已被更新");
                paid.countDown();
                assertThat(newer.join().body()).contains("\"PAID\"");
            } finally {
                paid.countDown();
                paused.destroyForcibly().waitFor();
            }
        }
    }

    private static long fence(Running service, long id) {
        return service.bean(OrderRepository.class).find(id).orElseThrow().fence();
    }

    /** The service with a payment provider that takes until the latch is open. */
    private static SpringApplication paysWhenTold(CountDownLatch latch) {
        SpringApplication application = new SpringApplication(OrderServiceApplication.class);
        application.addInitializers(context -> ((GenericApplicationContext) context)
                .registerBean(
                        "providerThatIsTold",
                        PaymentProvider.class,
                        () -> new PaymentProvider(new PaymentProvider.Settings(Duration.ZERO)) {
                            @Override
                            void charge(Order order) {
                                try {
                                    latch.await();
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                            }
                        },
                        bean -> bean.setPrimary(true)));
        return application;
    }

    private static Process startElsewhere(EmbeddedRedis redis, Path folder, Path log) throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OrderServiceApplication.class.getName()));
        line.addAll(List.of(Running.arguments(redis, folder, "--orders.payment-time=2s")));
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static int port(Path log) {
        return await().atMost(Duration.ofSeconds(90)).until(() -> portIn(log), port -> port > 0);
    }

    private static int portIn(Path log) throws IOException {
        Matcher found = PORT.matcher(Files.readString(log));
        return found.find() ? Integer.parseInt(found.group(1)) : 0;
    }

    private static void signal(Process process, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }
}
