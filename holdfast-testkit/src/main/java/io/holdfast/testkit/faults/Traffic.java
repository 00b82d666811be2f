// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

/**
 * What went through a {@link FaultyProxy} since it started.
 *
 * @param connections connections accepted
 * @param requests commands that reached the server
 * @param replies replies that reached a client
 * @param pushes messages that reached a client without having been asked for: published ones, and lines of {@code MONITOR}
 * @param lost commands, replies and pushes that were dropped or swallowed
 */
public record Traffic(long connections, long requests, long replies, long pushes, long lost) {}
