// SPDX-License-Identifier: Apache-2.0
/** A real Redis server run as a child process, for development, demonstration and tests. */
@NullMarked
package io.holdfast.embedded;

import org.jspecify.annotations.NullMarked;
