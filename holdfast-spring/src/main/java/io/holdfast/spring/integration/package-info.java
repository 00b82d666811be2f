// SPDX-License-Identifier: Apache-2.0
/** Holdfast as the lock registry of Spring Integration. */
@NullMarked
package io.holdfast.spring.integration;

import org.jspecify.annotations.NullMarked;
