// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import io.holdfast.testkit.ConnectorTlsContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** {@code spring.data.redis.ssl.enabled}: the application's Lettuce client checks certificate and host name for the locks. */
class TlsTest extends ConnectorTlsContract {
    private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

    @Override
    protected RedisConnector connect(RedisAddress address) {
        ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.main.banner-mode=off",
                        "--spring.data.redis.host=" + address.host(),
                        "--spring.data.redis.port=" + address.port(),
                        "--spring.data.redis.timeout=" + address.timeout().toMillis(),
                        "--spring.data.redis.ssl.enabled=true");
        applications.add(application);
        return application.getBean(RedisConnector.class);
    }

    @AfterEach
    void stop() {
        applications.forEach(ConfigurableApplicationContext::close);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        SslAutoConfiguration.class,
        DataRedisAutoConfiguration.class,
        HoldfastAutoConfiguration.class
    })
    static class Application {}
}
