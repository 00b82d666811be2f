// SPDX-License-Identifier: Apache-2.0
package io.holdfast.weaving;

/** Marks a class whose methods take their locks themselves, as generated ones do: nobody else may weave it once more. */
public interface Woven {}
