// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.spi.RedisReplyException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which server this is and in what role. Asked with {@code HELLO}, which no ACL forbids; with {@code INFO} where there is no
 * {@code HELLO}, as before Redis 6 or behind a proxy.
 */
final class ServerChecks {
    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4}).*");

    private ServerChecks() {}

    /** Product and version, as {@code server}, {@code version}, {@code mode} and {@code role}. */
    static Map<String, String> identity(Patient patient) {
        Map<String, String> identity = new HashMap<>();
        try {
            if (patient.ask("HELLO") instanceof List<?> fields) {
                for (int i = 0; i + 1 < fields.size(); i += 2) {
                    identity.put(String.valueOf(fields.get(i)), String.valueOf(fields.get(i + 1)));
                }
            }
        } catch (RedisReplyException e) {
            Map<String, String> info = patient.info();
            identity.put("server", info.getOrDefault("server_name", "redis"));
            identity.put("version", info.getOrDefault("valkey_version", info.getOrDefault("redis_version", "")));
            identity.put("mode", info.getOrDefault("redis_mode", "standalone"));
            identity.put("role", info.getOrDefault("role", "master"));
        }
        return identity;
    }

    static Finding version(String product, String version) {
        String found = product + " " + version;
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            return Finding.warn("version", found + ": not a version Holdfast knows", "");
        }
        int number = Integer.parseInt(parts.group(1)) * 10_000 + Integer.parseInt(parts.group(2));
        boolean redis = product.equals("redis");
        if (redis && number < 6_0002) {
            return Finding.fail(
                    "version",
                    found + ": Holdfast needs 6.2 or newer, whose SET has GET and whose ZADD has GT",
                    "upgrade the server");
        }
        if (redis || (product.equals("valkey") && number >= 8_0000)) {
            return Finding.ok("version", found);
        }
        return Finding.warn(
                "version",
                found + ": never tested with Holdfast",
                product.equals("valkey") ? "use Valkey 8 or newer" : "use Redis 6.2 or newer, or Valkey 8 or newer");
    }

    static Finding role(Patient patient, Map<String, String> identity) {
        String mode = identity.getOrDefault("mode", "standalone").toLowerCase(Locale.ROOT);
        if (mode.equals("sentinel")) {
            return Finding.fail(
                    "role",
                    "a Sentinel, which keeps no data; Holdfast does not follow Sentinels yet",
                    "give the primary's address: SENTINEL GET-MASTER-ADDR-BY-NAME tells it");
        }
        if (mode.equals("cluster")) {
            return Finding.fail(
                    "role",
                    "a node of a Cluster, which Holdfast does not support yet: the keys of one lock are in several slots",
                    "use a server that is not part of a Cluster");
        }
        if (!identity.getOrDefault("role", "master").equals("master")) {
            return Finding.fail(
                    "role",
                    "a replica: it takes no writes, and a lock taken on a writable one excludes nobody",
                    "connect to the primary" + primary(patient));
        }
        return Finding.ok("role", "a primary, standalone");
    }

    private static String primary(Patient patient) {
        try {
            String host = patient.info().getOrDefault("master_host", "");
            return host.isEmpty() ? "" : ", " + host + ":" + patient.number("master_port");
        } catch (NotAllowed | RedisReplyException e) {
            return "";
        }
    }
}
