// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import io.holdfast.Holdfast;

/**
 * A bean of this type has the last word on how {@link Holdfast} is built: after the properties, in the order of
 * {@link org.springframework.core.annotation.Order}.
 */
@FunctionalInterface
public interface HoldfastBuilderCustomizer {

    /** Called once, before the build. */
    void customize(Holdfast.Builder builder);
}
