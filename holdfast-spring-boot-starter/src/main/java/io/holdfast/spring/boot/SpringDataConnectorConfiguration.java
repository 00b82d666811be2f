// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import io.holdfast.LockManager;
import io.holdfast.spi.RedisConnector;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/** The application's own client, as Spring Data Redis has it. The connector is closed by the {@code Holdfast} it is for. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBean(RedisConnectionFactory.class)
@ConditionalOnMissingBean({LockManager.class, RedisConnector.class})
class SpringDataConnectorConfiguration {
    private static final String DETAILS =
            "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails";

    @Bean(destroyMethod = "")
    RedisConnector holdfastRedisConnector(RedisConnectionFactory factory, ApplicationContext context) {
        if (ClassUtils.isPresent(DETAILS, context.getClassLoader())) {
            refuse(BootDetails.nameReplicas(context), "a static master/replica set-up");
        }
        if (factory instanceof LettuceConnectionFactory lettuce) {
            ConnectorModule.LETTUCE.require(context);
            refuse(lettuce.isRedisSentinelAware(), "watched by Sentinel");
            refuse(lettuce.isClusterAware(), "a Cluster");
            return new LettuceFactoryConnector(lettuce);
        }
        if (factory instanceof JedisConnectionFactory jedis) {
            ConnectorModule.JEDIS.require(context);
            refuse(jedis.isRedisSentinelAware(), "watched by Sentinel");
            refuse(jedis.isRedisClusterAware(), "a Cluster");
            return JedisFactoryConnector.of(jedis);
        }
        throw new HoldfastConfigurationException(
                "Holdfast can't run its locks on a " + factory.getClass().getName() + ".",
                "Set holdfast.uri, or define a bean of type RedisConnector.");
    }

    private static void refuse(boolean used, String topology) {
        if (used) {
            throw new HoldfastConfigurationException(
                    "The application's Redis is " + topology + ", on which Holdfast does not run yet.",
                    "Set holdfast.uri to a single server for the locks, or define a LockManager bean, or set"
                            + " holdfast.enabled=false.");
        }
    }

    /** Apart, because an application may have Spring Data Redis without Boot's part of it. */
    private static final class BootDetails {

        /** The factory itself does not tell. */
        static boolean nameReplicas(ApplicationContext context) {
            DataRedisConnectionDetails details =
                    context.getBeanProvider(DataRedisConnectionDetails.class).getIfAvailable();
            return details != null && details.getMasterReplica() != null;
        }
    }
}
