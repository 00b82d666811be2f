// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;

/** The connectors an application may have on its class path. */
enum ConnectorModule {
    /** Comes with the starter. */
    LETTUCE("io.holdfast.lettuce.LettuceConnector", "holdfast-lettuce"),
    /** Has to be added. */
    JEDIS("io.holdfast.jedis.JedisConnector", "holdfast-jedis");

    private final String type;
    private final String artifact;

    ConnectorModule(String type, String artifact) {
        this.type = type;
        this.artifact = artifact;
    }

    boolean isPresent(ApplicationContext context) {
        return ClassUtils.isPresent(type, context.getClassLoader());
    }

    void require(ApplicationContext context) {
        if (!isPresent(context)) {
            throw new HoldfastConfigurationException(
                    "Holdfast's connector for this Redis client is not on the class path.",
                    "Add io.holdfast:" + artifact + ".");
        }
    }
}
