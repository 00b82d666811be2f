// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import io.holdfast.LockManager;
import io.holdfast.jedis.JedisConnector;
import io.holdfast.lettuce.LettuceConnector;
import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A client of its own, to the server in {@code holdfast.uri}. Closed by the {@code Holdfast} it is for. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("holdfast.uri")
@ConditionalOnMissingBean({LockManager.class, RedisConnector.class})
class UriConnectorConfiguration {

    /** The starter brings Lettuce's connector along; who has that for Jedis as well put it there on purpose. */
    @Bean(destroyMethod = "")
    RedisConnector holdfastRedisConnector(HoldfastProperties properties, ApplicationContext context) {
        RedisAddress address = PropertiesMapper.address(String.valueOf(properties.uri()));
        if (ConnectorModule.JEDIS.isPresent(context)) {
            return JedisConnector.connect(address);
        }
        ConnectorModule.LETTUCE.require(context);
        return LettuceConnector.connect(address);
    }
}
