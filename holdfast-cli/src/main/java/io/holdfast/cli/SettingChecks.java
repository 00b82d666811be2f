// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.Eviction;

/** Settings of the server that can cost a lock. */
final class SettingChecks {
    /** From this part of a limit on it is near. */
    private static final double NEAR = 0.9;

    private static final long SHORT_TIMEOUT_SECONDS = 300;

    private SettingChecks() {}

    static Finding eviction(Patient patient) {
        long most = patient.number("maxmemory");
        long used = patient.number("used_memory");
        String policy = patient.info().getOrDefault("maxmemory_policy", "unknown");
        if (most == 0) {
            return Finding.ok("eviction", "no maxmemory, so nothing is evicted");
        }
        String fill = percent(used, most) + " of maxmemory (" + Format.count(most / 1024) + " KB) used";
        if (new Eviction(policy, most).mayDropLocks()) {
            return Finding.warn(
                    "eviction",
                    "maxmemory-policy " + policy + ", " + fill + ", "
                            + Format.count(patient.number("evicted_keys"), "key")
                            + " evicted so far: a full server may drop a lock that is held",
                    "CONFIG SET maxmemory-policy noeviction");
        }
        if (used >= most * NEAR) {
            return Finding.warn(
                    "eviction",
                    "noeviction, but " + fill + ": at the limit new locks are refused (held ones can be renewed and"
                            + " released)",
                    "CONFIG SET maxmemory " + 2 * Math.max(most, used));
        }
        return Finding.ok("eviction", "noeviction, " + fill);
    }

    static Finding persistence(Patient patient) {
        if (patient.number("aof_enabled") == 1) {
            String fsync = patient.config("appendfsync");
            return fsync.equals("no")
                    ? Finding.warn(
                            "persistence",
                            "AOF, appendfsync no: power loss may lose the locks of half a minute",
                            "CONFIG SET appendfsync everysec")
                    : Finding.ok(
                            "persistence",
                            "AOF, appendfsync " + fsync
                                    + (fsync.equals("everysec")
                                            ? ": power loss may lose the last second's locks"
                                            : ""));
        }
        String save = patient.config("save");
        return Finding.warn(
                "persistence",
                save.isEmpty()
                        ? "none: a restart forgets every lock, and others can take them while their holders work on"
                        : "RDB only (save " + save + "): a crash forgets every lock since the last snapshot",
                "CONFIG SET appendonly yes, then CONFIG REWRITE");
    }

    static Finding clients(Patient patient) {
        long now = patient.number("connected_clients");
        long most = patient.number("maxclients"); // INFO has it since 6.2
        if (most == 0) {
            return Finding.ok("clients", Format.count(now) + " connected");
        }
        String found = Format.count(now) + " of " + Format.count(most) + " connections in use";
        return now < most * NEAR
                ? Finding.ok("clients", found)
                : Finding.warn(
                        "clients",
                        found + ": a process that can't connect can neither take nor renew a lock",
                        "CONFIG SET maxclients " + most * 2);
    }

    static Finding idleTimeout(Patient patient) {
        String text = patient.config("timeout");
        long seconds = text.matches("\\d{1,9}") ? Long.parseLong(text) : 0;
        return seconds == 0 || seconds >= SHORT_TIMEOUT_SECONDS
                ? Finding.ok(
                        "timeout",
                        seconds == 0 ? "idle connections stay open" : "idle connections stay open for " + text + " s")
                : Finding.warn(
                        "timeout",
                        "idle connections are closed after " + text
                                + " s: the next lock, or a renewal, meets a closed connection first",
                        "CONFIG SET timeout 0");
    }

    private static String percent(long part, long whole) {
        return Math.round(100.0 * part / whole) + " %";
    }
}
