// SPDX-License-Identifier: Apache-2.0
/**
 * Histories of what processes did with locks, and what they prove.
 *
 * <p>Each process writes what it does into a {@link io.holdfast.testkit.history.History} of its own, most of it through an
 * {@link io.holdfast.testkit.history.Operation}; whoever injects faults writes one too. Afterwards
 * {@link io.holdfast.testkit.history.Checker} reads all of them and says in its
 * {@link io.holdfast.testkit.history.Findings} which promises were broken, where and by how much. Needs no test framework.
 */
@NullMarked
package io.holdfast.testkit.history;

import org.jspecify.annotations.NullMarked;
