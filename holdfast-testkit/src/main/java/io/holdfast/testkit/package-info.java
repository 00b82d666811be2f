// SPDX-License-Identifier: Apache-2.0
/** The contract suites that every connector passes on every topology it supports. */
@NullMarked
package io.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
