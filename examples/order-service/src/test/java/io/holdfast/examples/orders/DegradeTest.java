// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.embedded.EmbeddedRedis;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class DegradeTest {

    @Test
    void degradeProfile_withRedisDown_goesOnAndSaysSo(@TempDir Path database, CapturedOutput output) {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                Running service = Running.start(redis, database, "--spring.profiles.active=degrade")) {
            redis.kill();

            long id = Running.id(service.create(1).join());

            assertThat(service.pay(id, "en").body()).contains("\"PAID\"");
            assertThat(output).contains("Lock DEGRADED: order_create_lock:1").contains("Lock DEGRADED: order:" + id);
        }
    }
}
