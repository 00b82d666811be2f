// SPDX-License-Identifier: Apache-2.0
/**
 * {@code holdfast torture}. {@link io.holdfast.cli.torture.TortureCommand} is the entry: a {@code Torture} starts a server, a proxy
 * and a {@code Crew} of worker processes, and lets one {@code Ordeal} after the other strike them, as its {@code Schedule} says.
 * In each {@code TortureWorker} several {@code Contender}s take locks and record what they see.
 */
@NullMarked
package io.holdfast.cli.torture;

import org.jspecify.annotations.NullMarked;
