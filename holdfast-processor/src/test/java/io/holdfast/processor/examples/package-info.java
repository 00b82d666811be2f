// SPDX-License-Identifier: Apache-2.0
/** Classes with locks, woven by the processor when the tests are compiled. */
package io.holdfast.processor.examples;
