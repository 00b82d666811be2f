// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The first example of README.md, between the two marks; {@code ReadmeExampleTest} runs it and compares it. */
final class ReadmeExample {
    final List<String> done = new ArrayList<>();
    private final String report = "report";

    void run() {
        // README begins
        try (Holdfast locks = Holdfast.connect("redis://localhost:6379")) {
            locks.withLock("order:42", Duration.ofSeconds(10), () -> pay(42));

            try (Lease lease = locks.lock("report:daily").acquire(Duration.ofSeconds(5))) {
                lease.onLost(reason -> cancel());
                store(report, lease.fencingToken());
            }
        }
        // README ends
    }

    private void pay(int order) {
        done.add("paid " + order);
    }

    private void cancel() {
        done.add("cancelled");
    }

    private void store(String what, long fencingToken) {
        done.add("stored " + what + (fencingToken > 0 ? " with a fencing token" : ""));
    }
}
