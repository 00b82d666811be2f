// SPDX-License-Identifier: Apache-2.0
/** The connector that runs the lock on Lettuce. */
@NullMarked
package io.holdfast.lettuce;

import org.jspecify.annotations.NullMarked;
