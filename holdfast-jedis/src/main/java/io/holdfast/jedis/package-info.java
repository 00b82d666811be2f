// SPDX-License-Identifier: Apache-2.0
/** The connector that runs the lock on Jedis. */
@NullMarked
package io.holdfast.jedis;

import org.jspecify.annotations.NullMarked;
