// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.spi.RedisReplyException;
import java.util.ArrayList;
import java.util.List;

/** Whether a release is one native command. It works without, so what is missing is no reason to warn. */
final class ReleaseCheck {
    private ReleaseCheck() {}

    static Finding look(Patient patient) {
        String lock = patient.name().lockKey();
        List<String> missing = new ArrayList<>();
        boolean delex = has(patient, missing, "DELEX", lock, "IFEQ", "x");
        if (!delex && !has(patient, missing, "DELIFEQ", lock, "x")) {
            return Finding.ok("release", "by script: this server has no compare-and-delete of its own");
        }
        String command = delex ? "DELEX" : "DELIFEQ";
        has(patient, missing, "COMMAND", "INFO", command);
        return missing.isEmpty()
                ? Finding.ok("release", "by " + command + ", the server's own compare-and-delete")
                : new Finding(
                        Finding.Level.OK,
                        "release",
                        "by script; " + command + " would cost the server less",
                        patient.grant(missing));
    }

    private static boolean has(Patient patient, List<String> missing, String... words) {
        try {
            patient.ask(words);
            return true;
        } catch (NotAllowed e) {
            missing.add(e.permission());
            return true;
        } catch (RedisReplyException e) {
            return !String.valueOf(e.getMessage()).contains("unknown command");
        }
    }
}
