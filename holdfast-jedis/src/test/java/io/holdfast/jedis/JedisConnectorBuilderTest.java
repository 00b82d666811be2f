// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.spi.RedisAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class JedisConnectorBuilderTest {

    @Test
    void defaults_areLocalhostAndTwoSeconds() {
        try (JedisConnector connector = JedisConnector.connect()) {
            assertThat(connector.endpoint()).isEqualTo("redis://localhost:6379");
            assertThat(connector.commandTimeout()).isEqualTo(Duration.ofSeconds(2));
        }
        assertThat(JedisConnector.builder())
                .hasToString("JedisConnectorBuilder[redis://localhost:6379, maxTotal=50, maxIdle=10, minIdle=5,"
                        + " testOnBorrow=false, lookout=PT0.00015S]");
    }

    @Test
    void settersInAnyOrder_keepEachOther() {
        JedisConnectorBuilder builder = JedisConnector.builder()
                .password("s3cret")
                .timeout(Duration.ofMillis(700))
                .tls(true)
                .database(3)
                .user("worker")
                .port(7000)
                .host("redis.internal");

        assertThat(builder.toString())
                .contains("rediss://redis.internal:7000/3")
                .doesNotContain("s3cret");
        try (JedisConnector connector = builder.build()) {
            assertThat(connector.endpoint()).isEqualTo("rediss://redis.internal:7000/3");
            assertThat(connector.commandTimeout()).isEqualTo(Duration.ofMillis(700));
            assertThat(connector.toString()).doesNotContain("s3cret");
        }
    }

    @Test
    void badValues_areRefusedByName() {
        JedisConnectorBuilder builder = JedisConnector.builder();
        assertThatIllegalArgumentException().isThrownBy(() -> builder.port(0)).withMessageContaining("port");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.host(" ")).withMessageContaining("host");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.database(-1))
                .withMessageContaining("database");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.timeout(Duration.ZERO))
                .withMessageContaining("timeout");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JedisConnector.builder().maxTotal(5).build())
                .withMessageContaining("maxIdle 10, maxTotal 5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JedisConnector.builder().minIdle(11).build())
                .withMessageContaining("minIdle 11");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        JedisConnector.builder().lookout(Duration.ofMillis(-1)).build())
                .withMessageContaining("0 to 10 ms");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        JedisConnector.builder().lookout(Duration.ofSeconds(1)).build())
                .withMessageContaining("was PT1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JedisConnector.builder()
                        .maxTotal(0)
                        .maxIdle(0)
                        .minIdle(0)
                        .build());
    }

    @Test
    void address_isTakenWhole() {
        RedisAddress address = RedisAddress.parse("rediss://u:p@h:1/2?timeout=3s");

        assertThat(JedisConnector.builder().address(address).toString()).contains("rediss://h:1/2");
    }
}
