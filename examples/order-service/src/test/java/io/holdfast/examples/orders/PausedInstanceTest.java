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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The classic: an instance stops in the middle of its work, its lock goes to another, it wakes up and writes. */
class PausedInstanceTest {
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

    @Test
    void lateWrite_ofAnInstanceThatWasPaused_isRefused(@TempDir Path folder) throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Running other = Running.start(redis, folder)) {
            Path log = folder.resolve("paused.log");
            Process paused = startElsewhere(redis, folder, log);
            try {
                URI address = URI.create("http://localhost:" + port(log));
                long id = Running.id(other.create(1).join());
                CompletableFuture<HttpResponse<String>> late =
                        Running.sendAsync(address, "POST", "/orders/" + id + "/pay", "", "zh");
                await().until(() -> Files.readString(log).contains("Charging")); // it has the lock, and read the order

                signal(paused, "STOP");
                other.bean(StringRedisTemplate.class).delete("order:" + id); // as its end would, only sooner
                assertThat(other.pay(id, "en").body()).contains("\"PAID\"");
                signal(paused, "CONT");

                assertThat(late.join().statusCode()).isNotEqualTo(200);
                assertThat(late.join().body()).contains("订单已被更新");
                assertThat(other.get("/orders/" + id)).contains("\"PAID\"");
            } finally {
                paused.destroyForcibly().waitFor();
            }
        }
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
