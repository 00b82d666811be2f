// SPDX-License-Identifier: Apache-2.0
/**
 * For tests with locks.
 *
 * <p>Applications: {@link io.holdfast.testkit.InMemoryLocks} (no server; expire or lose a lease, fail or hang the backend on
 * demand) and {@link io.holdfast.testkit.HoldfastTest} (a real server in JUnit tests). {@link io.holdfast.testkit.faults} brings
 * faults about, {@link io.holdfast.testkit.history} judges what processes did meanwhile.
 *
 * <p>Connectors: {@link io.holdfast.testkit.ConnectorContractSuite}, the contract every one of them passes on every server, and
 * {@link io.holdfast.testkit.FaultSuite}, the matrix of faults.
 */
@NullMarked
package io.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
