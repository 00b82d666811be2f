// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import java.io.Serial;

/** Locks can't be configured like that. Boot shows the message and the advice, without a stack trace. */
final class HoldfastConfigurationException extends IllegalStateException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String advice;

    HoldfastConfigurationException(String message, String advice) {
        super(message);
        this.advice = advice;
    }

    /** Of the core's own complaint about a value: that may not be repeated if it holds a password. */
    static HoldfastConfigurationException ofProperty(String name, IllegalArgumentException refused) {
        return new HoldfastConfigurationException(
                "The property " + name + " is refused: " + refused.getMessage(), "Change or remove " + name + ".");
    }

    String advice() {
        return advice;
    }
}
