// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import io.holdfast.LockListener;
import io.holdfast.LockManager;
import io.holdfast.spi.RedisConnector;
import io.holdfast.spring.HoldfastLifecycle;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * The application's {@link LockManager}, unless it has one of its own: a {@link Holdfast} told of every {@link LockListener}
 * bean, and ended in good time. Nothing is sent to Redis before the first lock.
 *
 * <p>Which Redis, first match: a {@link RedisConnector} bean of the application's, {@code holdfast.uri}, the connection factory
 * of Spring Data Redis.
 */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnBooleanProperty(name = "holdfast.enabled", matchIfMissing = true)
@EnableConfigurationProperties(HoldfastProperties.class)
@Import({UriConnectorConfiguration.class, SpringDataConnectorConfiguration.class})
public class HoldfastAutoConfiguration {

    /** For Spring. */
    public HoldfastAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(LockManager.class)
    Holdfast holdfast(
            HoldfastProperties properties,
            ObjectProvider<RedisConnector> connector,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<HoldfastBuilderCustomizer> customizers) {
        Holdfast.Builder builder = Holdfast.builder();
        PropertiesMapper.apply(properties, builder);
        builder.connector(connector.getIfAvailable(HoldfastAutoConfiguration::refuse));
        listeners.orderedStream().forEach(builder::listener);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.build();
    }

    /** Of the application's own {@link Holdfast} too: that ends too late otherwise, after the Redis client. */
    @Bean
    @ConditionalOnSingleCandidate(Holdfast.class)
    @ConditionalOnMissingBean
    HoldfastLifecycle holdfastLifecycle(Holdfast locks, HoldfastProperties properties, ApplicationContext context) {
        return new HoldfastLifecycle(
                locks, context, properties.closeWait(), properties.shutdown().phase());
    }

    private static RedisConnector refuse() {
        throw new HoldfastConfigurationException(
                "Holdfast does not know which Redis to keep its locks in: holdfast.uri is not set, and there is no"
                        + " RedisConnectionFactory.",
                "Add org.springframework.boot:spring-boot-starter-data-redis, or set holdfast.uri, or define a bean of"
                        + " type RedisConnector or LockManager.");
    }
}
