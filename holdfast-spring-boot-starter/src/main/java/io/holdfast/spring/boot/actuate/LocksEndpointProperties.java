// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.actuate;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the endpoint {@code locks}.
 *
 * @param forceRelease whether {@code POST}, with a fencing token and a reason, may take a lock from its holder
 */
@ConfigurationProperties("management.endpoint.locks")
public record LocksEndpointProperties(@DefaultValue("false") boolean forceRelease) {}
