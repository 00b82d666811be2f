// SPDX-License-Identifier: Apache-2.0
/** What a connector to a Redis client implements for the engine. */
@NullMarked
package io.holdfast.spi;

import org.jspecify.annotations.NullMarked;
