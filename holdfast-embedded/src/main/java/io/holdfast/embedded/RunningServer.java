// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

/** A server that has answered: its process, the port it listens on and the version it reported. */
record RunningServer(ServerProcess process, int port, String version) {}
