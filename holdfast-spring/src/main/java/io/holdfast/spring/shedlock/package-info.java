// SPDX-License-Identifier: Apache-2.0
/** Holdfast as the lock provider of ShedLock. */
@NullMarked
package io.holdfast.spring.shedlock;

import org.jspecify.annotations.NullMarked;
