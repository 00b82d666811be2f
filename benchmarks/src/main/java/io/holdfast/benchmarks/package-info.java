// SPDX-License-Identifier: Apache-2.0
/** Measurements of the lock against real servers. */
@NullMarked
package io.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;
