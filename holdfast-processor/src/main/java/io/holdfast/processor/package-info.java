// SPDX-License-Identifier: Apache-2.0
/**
 * Checks {@link io.holdfast.Lock} while the code is compiled, and weaves it without a framework and without reflection.
 *
 * <p>{@link io.holdfast.processor.LockProcessor} is the entry. {@code TypeRules} and {@code MethodRules} refuse what can't work,
 * with the words that {@link io.holdfast.weaving} has for it at run time; what passes becomes {@code WovenMethod}s, which
 * {@code LockedSource} writes down as a subclass, or for an interface as a delegate.
 */
@NullMarked
package io.holdfast.processor;

import org.jspecify.annotations.NullMarked;
