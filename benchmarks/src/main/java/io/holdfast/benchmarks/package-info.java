// SPDX-License-Identifier: Apache-2.0
/**
 * Holdfast beside its peers and beside the locks people write themselves, on one real server in one run.
 *
 * <p>{@code BenchCommand} reads the options and has {@code Bench} go through the {@code Scenario}s; in each, the
 * {@code Entry}s take turns. A turn ({@code Team}) is played by real worker processes ({@code Worker}), whose threads
 * ({@code Crew}) all look at one piece of shared memory ({@code Board}): it says when a turn is measured, and proves that
 * the lock excluded. {@code Report} writes what came out.
 */
@NullMarked
package io.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;
