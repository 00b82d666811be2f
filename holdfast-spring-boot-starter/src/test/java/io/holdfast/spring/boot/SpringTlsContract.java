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

/** {@code spring.data.redis.ssl.*}: locks on the application's own client go through TLS as it is set up there. */
abstract class SpringTlsContract extends ConnectorTlsContract {
    private final List<ConfigurableApplicationContext> applications = new ArrayList<>();
    private final String client;
    private final Class<?> configuration;

    SpringTlsContract(String client, Class<?> configuration) {
        this.client = client;
        this.configuration = configuration;
    }

    /** Properties that turn TLS on. */
    List<String> tls() {
        return List.of("spring.data.redis.ssl.enabled=true");
    }

    @Override
    protected RedisConnector connect(RedisAddress address) {
        ConfigurableApplicationContext application = new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .properties(tls().toArray(String[]::new))
                .run(
                        "--spring.main.banner-mode=off",
                        "--spring.data.redis.client-type=" + client,
                        "--spring.data.redis.host=" + address.host(),
                        "--spring.data.redis.port=" + address.port(),
                        "--spring.data.redis.timeout=" + address.timeout().toMillis());
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
