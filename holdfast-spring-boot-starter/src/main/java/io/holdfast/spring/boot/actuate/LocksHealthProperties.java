// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.actuate;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the health of locks.
 *
 * @param evictionOutOfService whether a server that may drop locks when its memory is full makes the application
 *     {@code OUT_OF_SERVICE}; by default that is a warning in the details
 * @param evictionCheckInterval how often the server is asked for its eviction policy
 */
@ConfigurationProperties("management.health.locks")
public record LocksHealthProperties(
        @DefaultValue("false") boolean evictionOutOfService,
        @DefaultValue("1m") Duration evictionCheckInterval) {}
