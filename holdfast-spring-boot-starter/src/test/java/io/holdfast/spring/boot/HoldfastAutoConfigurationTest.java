// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.LockEvent;
import io.holdfast.LockListener;
import io.holdfast.LockManager;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.lettuce.LettuceConnector;
import io.holdfast.spi.InMemoryBackend;
import io.holdfast.spi.MonotonicClock;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spring.HoldfastLifecycle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Which beans there are, and why. Nothing here connects: building locks does no I/O. */
class HoldfastAutoConfigurationTest {
    private final ApplicationContextRunner bare =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration.class));
    private final ApplicationContextRunner withRedis =
            bare.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class));

    @Test
    void imports_nameBothAutoConfigurations() {
        assertThat(ImportCandidates.load(
                        org.springframework.boot.autoconfigure.AutoConfiguration.class,
                        getClass().getClassLoader()))
                .contains(HoldfastAutoConfiguration.class.getName(), HoldfastWebAutoConfiguration.class.getName());
    }

    @Test
    void springDataRedis_byDefault_locksRunOnTheApplicationsLettuceClient() {
        withRedis.withPropertyValues("spring.data.redis.host=redis.internal").run(context -> {
            assertThat(context).hasSingleBean(LockManager.class).hasSingleBean(HoldfastLifecycle.class);
            assertThat(context.getBean(RedisConnector.class)).isInstanceOf(LettuceFactoryConnector.class);
            assertThat(context.getBean(Holdfast.class)).hasToString("Holdfast[redis://redis.internal:6379]");
        });
    }

    @Test
    void springDataRedis_onJedis_locksRunOnTheApplicationsJedisClient() {
        withRedis
                .withPropertyValues("spring.data.redis.client-type=jedis")
                .run(context ->
                        assertThat(context.getBean(RedisConnector.class)).isInstanceOf(JedisFactoryConnector.class));
    }

    @Test
    void springDataRedis_onJedisWithoutItsConnector_saysWhatToAdd() {
        withRedis
                .withPropertyValues("spring.data.redis.client-type=jedis")
                .withClassLoader(new FilteredClassLoader(JedisConnector.class))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(
                                HoldfastConfigurationException.class,
                                e -> assertThat(e.advice()).isEqualTo("Add io.holdfast:holdfast-jedis.")));
    }

    @Test
    void timeout_unset_isTwoSecondsAndNotLettucesMinute() {
        withRedis.run(context ->
                assertThat(timeout(context.getBean(RedisConnector.class))).isEqualTo(2_000));
        withRedis
                .withPropertyValues("spring.data.redis.timeout=5s")
                .run(context -> assertThat(timeout(context.getBean(RedisConnector.class)))
                        .isEqualTo(5_000));
    }

    @Test
    void timeout_ofJedis_isTheSockets() {
        withRedis
                .withPropertyValues("spring.data.redis.client-type=jedis", "spring.data.redis.timeout=3s")
                .run(context -> assertThat(timeout(context.getBean(RedisConnector.class)))
                        .isEqualTo(3_000));
    }

    @Test
    void uri_set_comesBeforeTheApplicationsRedis() {
        withRedis
                .withPropertyValues("holdfast.uri=redis://:secret@locks.internal:7000/3")
                .run(context -> {
                    assertThat(context.getBean(RedisConnector.class)).isInstanceOf(JedisConnector.class);
                    assertThat(context.getBean(Holdfast.class)).hasToString("Holdfast[redis://locks.internal:7000/3]");
                });
    }

    @Test
    void uri_set_withoutSpringDataAndWithTheStartersConnectorOnly_isLettuce() {
        bare.withPropertyValues("holdfast.uri=rediss://locks.internal:7000")
                .withClassLoader(new FilteredClassLoader(JedisConnector.class, RedisConnectionFactory.class))
                .run(context -> {
                    assertThat(context.getBean(RedisConnector.class)).isInstanceOf(LettuceConnector.class);
                    assertThat(context.getBean(Holdfast.class)).hasToString("Holdfast[rediss://locks.internal:7000]");
                });
    }

    @Test
    void nothingSet_withoutRedis_saysWhatToDo() {
        bare.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(HoldfastConfigurationException.class)
                .hasMessageContaining("holdfast.uri is not set"));
    }

    @Test
    void ownLockManager_isTheOnlyOne_andNoRedisIsNeeded() {
        bare.withUserConfiguration(OwnLockManager.class)
                .run(context -> assertThat(context)
                        .hasSingleBean(LockManager.class)
                        .hasBean("mine")
                        .hasSingleBean(HoldfastLifecycle.class)
                        .doesNotHaveBean(RedisConnector.class));
    }

    @Test
    void ownConnector_isUsed() {
        withRedis.withUserConfiguration(OwnConnector.class).run(context -> {
            assertThat(context).hasSingleBean(RedisConnector.class);
            assertThat(context.getBean(Holdfast.class)).hasToString("Holdfast[redis://mine:6379]");
        });
    }

    @Test
    void disabled_leavesNothingBehind() {
        withRedis
                .withPropertyValues("holdfast.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(LockManager.class)
                        .doesNotHaveBean(RedisConnector.class)
                        .doesNotHaveBean(HoldfastLifecycle.class));
    }

    @Test
    void listenersAndCustomizers_areAllHeard_theCustomizersInOrder() {
        bare.withUserConfiguration(OwnConnector.class, Heard.class).run(context -> {
            assertThat(context.getBean(LockManager.class).tryLock("order:42", Duration.ofSeconds(1)))
                    .isPresent();
            assertThat(context.getBean(Heard.class).words)
                    .containsExactly("first", "second", "one: order:42", "other: order:42");
        });
    }

    private static long timeout(RedisConnector connector) {
        return connector.commandTimeout().toMillis();
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnLockManager {
        @Bean
        Holdfast mine() {
            return Holdfast.builder()
                    .backend(new InMemoryBackend(MonotonicClock.SYSTEM))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnConnector {
        @Bean
        RedisConnector mine() {
            return LettuceConnector.connect(io.holdfast.spi.RedisAddress.of("mine", 6379));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Heard {
        final List<String> words = new ArrayList<>();

        @Bean
        @Order(2)
        HoldfastBuilderCustomizer second() {
            return builder -> {
                words.add("second");
                builder.backend(new InMemoryBackend(MonotonicClock.SYSTEM));
            };
        }

        @Bean
        @Order(1)
        HoldfastBuilderCustomizer first() {
            return builder -> words.add("first");
        }

        @Bean
        @Order(1)
        LockListener one() {
            return hear("one: ");
        }

        @Bean
        @Order(2)
        LockListener other() {
            return hear("other: ");
        }

        private LockListener hear(String who) {
            return new LockListener() {
                @Override
                public void acquired(LockEvent event) {
                    words.add(who + event.key());
                }
            };
        }
    }
}
