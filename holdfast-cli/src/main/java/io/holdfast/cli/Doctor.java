// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnectionException;
import io.holdfast.spi.RedisReplyException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Asks one server, check by check, whether it is fit for locks. */
final class Doctor {
    private final Patient patient;
    private final Consumer<Finding> report;
    private final Map<Finding.Level, Integer> counts = new EnumMap<>(Finding.Level.class);

    Doctor(Patient patient, Consumer<Finding> report) {
        this.patient = patient;
        this.report = report;
    }

    /**
     * Returns if the server answers and lets us in; a user that may not even {@code PING} is let in.
     *
     * @throws CommandFailure that says what is probably wrong
     */
    static void knock(RedisAddress address) {
        try {
            Redis.check(address);
        } catch (CommandFailure e) {
            if (!(e.getCause() instanceof RedisReplyException refusal
                    && refusal.code().equals("NOPERM"))) {
                throw new CommandFailure(
                        e.getMessage() + advice(address, String.valueOf(e.getMessage())), e.getCause());
            }
        }
    }

    static String advice(RedisAddress address, String message) {
        if (message.contains("NOAUTH")) {
            return "; put the password into " + Redis.PASSWORD_VARIABLE;
        }
        if (message.contains("Unknown reply")) {
            return "; what answers there is not Redis";
        }
        // A server without TLS waits in silence for the rest of what it takes for a command.
        if (address.tls() && message.matches("(?s).*(SSL|PKIX|handshake|timed out).*")) {
            return "; the server may not speak TLS (try redis://), or its certificate is not trusted";
        }
        if (!address.tls() && message.matches("(?s).*(end of stream|reset).*")) {
            return "; the server may expect TLS (try rediss://)";
        }
        return "";
    }

    /** Runs all checks, or those that only ask. */
    void examine(boolean readOnly) {
        try {
            if (isServer()) {
                asking();
                PermissionCheck permissions = new PermissionCheck(patient);
                if (readOnly) {
                    check("permissions", permissions::reading);
                } else {
                    Finding found = check("permissions", permissions::all);
                    trying(found.level() == Finding.Level.OK);
                }
                check("keys", () -> new KeyCheck(patient).look());
            }
        } catch (RedisConnectionException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
    }

    int count(Finding.Level level) {
        return counts.getOrDefault(level, 0);
    }

    /** Whether there is more to ask: a Sentinel knows none of the rest. */
    private boolean isServer() {
        try {
            Map<String, String> identity = ServerChecks.identity(patient);
            add(ServerChecks.version(identity.getOrDefault("server", "?"), identity.getOrDefault("version", "?")));
            add(ServerChecks.role(patient, identity));
            return !"sentinel".equals(identity.get("mode"));
        } catch (NotAllowed e) {
            add(unasked("version", e));
            return true;
        }
    }

    private void asking() {
        check("eviction", () -> SettingChecks.eviction(patient));
        check("persistence", () -> SettingChecks.persistence(patient));
        check("clients", () -> SettingChecks.clients(patient));
        check("timeout", () -> SettingChecks.idleTimeout(patient));
        check("clock", () -> ClockCheck.look(patient));
    }

    /** A trial on a server that is known to be unfit would only say it again. */
    private void trying(boolean allPermitted) {
        check("release", () -> ReleaseCheck.look(patient));
        check("pub/sub", () -> new PubSubCheck(patient).look());
        if (count(Finding.Level.FAIL) == 0) {
            check("trial", () -> TrialCheck.look(patient, allPermitted));
        }
    }

    private Finding check(String name, Supplier<Finding> check) {
        Finding finding;
        try {
            finding = check.get();
        } catch (NotAllowed e) {
            finding = unasked(name, e);
        } catch (RedisReplyException e) { // a managed service without CONFIG, say
            finding = Finding.warn(name, "could not be asked: " + e.getMessage(), "");
        }
        add(finding);
        return finding;
    }

    private Finding unasked(String name, NotAllowed e) {
        return Finding.warn(
                name, "could not be asked: the user lacks " + e.permission(), patient.grant(List.of(e.permission())));
    }

    private void add(Finding finding) {
        counts.merge(finding.level(), 1, Integer::sum);
        report.accept(finding);
    }
}
