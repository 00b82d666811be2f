// SPDX-License-Identifier: Apache-2.0
/**
 * Locks in Micrometer: {@link io.holdfast.micrometer.LockMetrics} counts and times them,
 * {@link io.holdfast.micrometer.LockObservations} makes spans of them. Both are listeners to give to
 * {@code Holdfast.builder()}. The resources {@code prometheus-rules.yml} and {@code grafana-dashboard.json} beside these
 * classes read the meters as Prometheus names them.
 */
@NullMarked
package io.holdfast.micrometer;

import org.jspecify.annotations.NullMarked;
