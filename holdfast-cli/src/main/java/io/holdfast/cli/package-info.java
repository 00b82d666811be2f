// SPDX-License-Identifier: Apache-2.0
/** The {@code holdfast} command line. */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
