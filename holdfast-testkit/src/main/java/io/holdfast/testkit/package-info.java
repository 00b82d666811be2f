// SPDX-License-Identifier: Apache-2.0
/**
 * For tests with locks.
 *
 * <p>Applications: {@link io.holdfast.testkit.InMemoryLocks} (no server; expire or lose a lease, fail or hang the backend on
 * demand) and {@link io.holdfast.testkit.HoldfastTest} (a real server in JUnit tests).
 *
 * <p>Connectors: {@link io.holdfast.testkit.ConnectorContractSuite}, the contract every one of them passes on every server.
 */
@NullMarked
package io.holdfast.testkit;

import org.jspecify.annotations.NullMarked;
