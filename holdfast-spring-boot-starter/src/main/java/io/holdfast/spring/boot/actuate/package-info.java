// SPDX-License-Identifier: Apache-2.0
/** Locks for those who run an application: the actuator's endpoint {@code locks} and health. */
@NullMarked
package io.holdfast.spring.boot.actuate;

import org.jspecify.annotations.NullMarked;
