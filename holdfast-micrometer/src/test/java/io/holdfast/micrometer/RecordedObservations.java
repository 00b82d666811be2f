// SPDX-License-Identifier: Apache-2.0
package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what a registry's observations tell, in their order. */
final class RecordedObservations implements ObservationHandler<Observation.Context> {
    final List<String> events = new CopyOnWriteArrayList<>();
    private final List<String> story = new CopyOnWriteArrayList<>();
    private final List<Observation.Context> stopped = new CopyOnWriteArrayList<>();

    RecordedObservations(ObservationRegistry registry) {
        registry.observationConfig().observationHandler(this);
    }

    /** Starts and stops of locks' observations. */
    List<String> story() {
        return story;
    }

    List<Observation.Context> stopped(String name) {
        return stopped.stream()
                .filter(context -> name.equals(context.getName()))
                .toList();
    }

    Observation.Context only(String name) {
        assertThat(stopped(name)).hasSize(1);
        return stopped(name).get(0);
    }

    static List<String> low(Observation.Context context) {
        return texts(context.getLowCardinalityKeyValues());
    }

    static List<String> high(Observation.Context context) {
        return texts(context.getHighCardinalityKeyValues());
    }

    private static List<String> texts(KeyValues values) {
        return values.stream()
                .map(value -> value.getKey() + "=" + value.getValue())
                .toList();
    }

    @Override
    public void onStart(Observation.Context context) {
        story.add("start " + context.getName());
    }

    @Override
    public void onEvent(Observation.Event event, Observation.Context context) {
        events.add(event.getName());
    }

    @Override
    public void onStop(Observation.Context context) {
        story.add("stop " + context.getName());
        stopped.add(context);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return true;
    }
}
