// SPDX-License-Identifier: Apache-2.0
package io.holdfast.jedis;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import redis.clients.jedis.commands.ProtocolCommand;

/** A command word, encoded once. Jedis has an enum of those it knows; this takes any, {@code DELIFEQ} included. */
final class Verb implements ProtocolCommand {
    private static final ConcurrentMap<String, Verb> KNOWN = new ConcurrentHashMap<>();

    private final String name;
    private final byte[] raw;

    private Verb(String name) {
        this.name = name;
        this.raw = name.getBytes(StandardCharsets.UTF_8);
    }

    static Verb of(String name) {
        Verb verb = KNOWN.get(name); // computeIfAbsent locks the bin even when the word is there
        return verb != null ? verb : KNOWN.computeIfAbsent(name, Verb::new);
    }

    @Override
    public byte[] getRaw() {
        return raw;
    }

    @Override
    public String toString() {
        return name;
    }
}
