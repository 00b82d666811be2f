// SPDX-License-Identifier: Apache-2.0
package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lock;
import io.holdfast.LockManager;
import io.holdfast.Locks;
import io.holdfast.spring.boot.HoldfastAutoConfiguration;
import io.holdfast.spring.boot.LockAdviceAutoConfiguration;
import io.holdfast.spring.integration.HoldfastLockRegistry;
import io.holdfast.spring.shedlock.HoldfastLockProvider;
import io.holdfast.testkit.InMemoryLocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.JedisClientConfigurationBuilderCustomizer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The snippets of docs/spring.md are code of this file, and it runs. */
class SpringSnippetsTest {
    private static final Pattern FENCED = Pattern.compile("(?s)```java\\n(.*?)```");

    @Test
    void everySnippet_isInThisFile() throws IOException {
        String here = normalised(Files.readString(Path.of("src/test/java/io/holdfast/docs/SpringSnippetsTest.java")));
        List<String> snippets = FENCED.matcher(Files.readString(Path.of("../docs/spring.md")))
                .results()
                .map(snippet -> normalised(snippet.group(1)))
                .toList();

        assertThat(snippets)
                .hasSizeGreaterThan(3)
                .allSatisfy(snippet -> assertThat(here).contains(snippet));
    }

    @Test
    void everySnippet_runs() {
        try (InMemoryLocks store = InMemoryLocks.create()) {
            new ApplicationContextRunner()
                    .withConfiguration(
                            AutoConfigurations.of(HoldfastAutoConfiguration.class, LockAdviceAutoConfiguration.class))
                    .withBean(LockManager.class, store::locks)
                    .withUserConfiguration(Application.class)
                    .run(context -> {
                        context.getBean(Payments.class).pay(42);
                        assertThat(context.getBean(OrderService.class).pay("42", 9900))
                                .isEqualTo("order:42");
                        assertThat(context.getBean(LockRegistry.class)
                                        .obtain("1")
                                        .tryLock())
                                .isTrue();
                        assertThat(context).hasSingleBean(LockProvider.class);
                    });
        }
    }

    private static String normalised(String code) {
        return code.replaceAll("//[^\\n]*", "").replace("static class", "class").replaceAll("\\s+", "");
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        Payments payments(LockManager locks) {
            return new Payments(locks);
        }

        @Bean
        OrderService orderService() {
            return new OrderService();
        }

        @Bean
        JedisClientConfigurationBuilderCustomizer hostCheck() {
            SSLParameters parameters = new SSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            return client -> client.useSsl().sslParameters(parameters);
        }

        @Bean
        LockRegistry<?> lockRegistry(LockManager locks) {
            return new HoldfastLockRegistry(locks, "orders");
        }

        @Bean
        LockProvider lockProvider(LockManager locks) {
            return new HoldfastLockProvider(locks);
        }
    }

    static void charge(long order) {
        assertThat(order).isPositive();
    }

    static String charge(String order, int cents) {
        return cents > 0 ? Locks.current().key() : "nothing for " + order;
    }

    @Service
    static class Payments {
        private final LockManager locks;

        Payments(LockManager locks) {
            this.locks = locks;
        }

        void pay(long order) {
            locks.withLock("order:" + order, Duration.ofSeconds(10), () -> charge(order));
        }
    }

    @Service
    static class OrderService {
        @Lock(key = "order:{orderId}", ttlMs = 15_000)
        @Transactional
        public String pay(String orderId, int cents) {
            return charge(orderId, cents);
        }
    }
}
