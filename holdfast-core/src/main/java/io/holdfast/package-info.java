// SPDX-License-Identifier: Apache-2.0
/** The distributed lock: the API applications use and the engine behind it. */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;
