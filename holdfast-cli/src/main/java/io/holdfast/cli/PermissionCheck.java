// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.spi.LockName;
import io.holdfast.spi.RedisReplyException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Tries every command that Holdfast's scripts use, on keys of the kind they use it on, in a form that changes nothing: on a
 * key that does not exist, or with arguments that contradict each other. A server looks at the permissions first, so any
 * other answer than a refusal means that the command is allowed.
 */
final class PermissionCheck {
    private static final String NOWHERE = "0".repeat(40);

    private final Patient patient;
    private final Set<String> unknown = new LinkedHashSet<>();

    PermissionCheck(Patient patient) {
        this.patient = patient;
    }

    /** For a user that takes locks. */
    Finding all() {
        LockName name = patient.name();
        Set<String> locks = missing(locks(name));
        Set<String> more = missing(others(name));
        more.removeAll(locks);
        if (locks.isEmpty() && more.isEmpty() && unknown.isEmpty()) {
            return Finding.ok("permissions", "every command Holdfast uses is allowed, on keys " + patient.keyPattern());
        }
        List<String> text = new ArrayList<>();
        describe(text, unknown, "unknown to this server (renamed, or a proxy between)");
        describe(text, locks, "missing: no lock works without");
        describe(text, more, "missing: needed for owner ids, fair locks, FencedStore, inspect and forceRelease only");
        locks.addAll(more);
        String remedy = locks.isEmpty() ? "" : patient.grant(locks);
        return more.size() == locks.size() && unknown.isEmpty()
                ? Finding.warn("permissions", String.join("; ", text), remedy)
                : Finding.fail("permissions", String.join("; ", text), remedy);
    }

    /** For a user that only looks. */
    Finding reading() {
        Set<String> missing = missing(inspect(patient.name()));
        if (missing.isEmpty() && unknown.isEmpty()) {
            return Finding.ok(
                    "permissions", "all that 'holdfast inspect' needs; those for taking locks were not tried");
        }
        List<String> text = new ArrayList<>();
        describe(text, unknown, "unknown to this server (renamed, or a proxy between)");
        describe(text, missing, "missing: 'holdfast inspect' needs it");
        return Finding.warn("permissions", String.join("; ", text), missing.isEmpty() ? "" : patient.grant(missing));
    }

    private static void describe(List<String> text, Set<String> which, String what) {
        if (!which.isEmpty()) {
            text.add(names(which) + " " + what);
        }
    }

    private static String names(Iterable<String> which) {
        return String.join(" ", which);
    }

    private Set<String> missing(List<String[]> uses) {
        Set<String> missing = new LinkedHashSet<>();
        for (String[] use : uses) {
            try {
                patient.ask(use);
            } catch (NotAllowed e) {
                missing.add(e.permission());
            } catch (RedisReplyException e) {
                if (String.valueOf(e.getMessage()).contains("unknown command")) {
                    unknown.add(use[0]);
                }
            }
        }
        return missing;
    }

    private static List<String[]> locks(LockName name) {
        String lock = name.lockKey();
        String fence = name.fenceKey();
        String queue = name.queueKey();
        return List.of(
                use("EVAL", "return 1", "3", lock, fence, queue),
                use("EVALSHA", NOWHERE, "3", lock, fence, queue),
                use("TIME"),
                use("GET", lock),
                use("SET", lock, "", "NX", "XX"),
                use("SET", fence, "", "NX", "XX"),
                use("GET", fence),
                use("DEL", lock),
                use("PTTL", lock),
                use("PEXPIRE", lock, "1"),
                use("EXISTS", queue),
                use("ZADD", queue, "XX", "NX", "1", "x"),
                use("PEXPIRE", queue, "1"),
                use("ZREM", queue, "x"),
                use("ZPOPMIN", queue),
                use("ZREVRANGE", queue, "0", "0"));
    }

    private static List<String[]> others(LockName name) {
        String owner = name.ownerKey();
        String holds = name.holdsKey();
        return List.of(
                use("HSET", owner, "value", "", "owner"), // a field without its value
                use("HGET", owner, "value"),
                use("ZADD", holds, "XX", "NX", "1", "x"),
                use("ZRANGE", holds, "0", "0"),
                use("ZRANGE", name.queueKey(), "0", "0"), // a fair lock looks who comes next
                use("ZCOUNT", holds, "0", "0"),
                use("ZSCORE", holds, "x"),
                use("ZREMRANGEBYSCORE", holds, "0", "0"),
                use("DEL", holds, owner));
    }

    private static List<String[]> inspect(LockName name) {
        String lock = name.lockKey();
        return List.of(
                use("PING"),
                use("EVAL", "return 1", "4", lock, name.ownerKey(), name.holdsKey(), name.queueKey()),
                use("EVALSHA", NOWHERE, "1", lock),
                use("GET", lock),
                use("EXISTS", lock),
                use("PTTL", lock),
                use("TIME"),
                use("ZRANGE", name.queueKey(), "0", "0"),
                use("HGET", name.ownerKey(), "value"),
                use("ZCOUNT", name.holdsKey(), "0", "0"));
    }

    private static String[] use(String... words) {
        return words;
    }
}
