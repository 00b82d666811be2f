// SPDX-License-Identifier: Apache-2.0
/**
 * Faults on demand, for tests of applications as well as of Holdfast itself.
 *
 * <p>{@link io.holdfast.testkit.faults.FaultyProxy} is a bad network in front of a real server, {@link
 * io.holdfast.testkit.faults.ServerFaults} makes the server itself misbehave, {@link io.holdfast.testkit.faults.ClockShim}
 * steps the wall clock of a process while it runs, and {@link io.holdfast.testkit.faults.Freezer} stops one. Nothing here needs
 * a test framework.
 */
@NullMarked
package io.holdfast.testkit.faults;

import org.jspecify.annotations.NullMarked;
