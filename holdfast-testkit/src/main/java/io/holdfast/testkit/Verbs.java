// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.Holdfast;
import io.holdfast.spi.RedisCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells which verb a command is: scripts go over the wire as a checksum, which says nothing to a reader. A verb is the name
 * of a Lua file of core ({@code acquire}, {@code renew-owner} …); any other command is its own name, e.g. {@code DELEX}.
 */
public final class Verbs {
    private static final Pattern INCLUDE = Pattern.compile("(?m)^-- include: (\\w+)\n");
    static final List<String> FILES = List.of(
            "acquire",
            "acquire-fair",
            "acquire-owner",
            "renew",
            "renew-owner",
            "release",
            "release-owner",
            "abandon",
            "end",
            "inspect",
            "fenced-set");
    private static final Map<String, String> BY_SCRIPT = load();

    private Verbs() {}

    /** The verb of a command as it is sent. */
    public static String of(RedisCommand command) {
        return command.name().startsWith("EVAL")
                ? BY_SCRIPT.getOrDefault(command.words().get(1), "unknown script")
                : command.name();
    }

    /** The verb of a line of {@link Monitor}; {@code EVAL} shows the script itself, so only {@code EVALSHA} is told apart. */
    public static String of(String monitorLine) {
        String[] words = monitorLine.split("\"", 5);
        if (words.length < 2) {
            return "";
        }
        return words[1].equalsIgnoreCase("EVALSHA") ? BY_SCRIPT.getOrDefault(words[3], "unknown script") : words[1];
    }

    /** Makes a server know every script, so that a test's commands are carried out at the first try. */
    static void teach(RawRedis server) {
        BY_SCRIPT.keySet().stream()
                .filter(script -> script.length() > 40)
                .forEach(script -> server.call("SCRIPT", "LOAD", script));
    }

    /** Takes a lock. */
    public static boolean isAcquire(RedisCommand command) {
        return of(command).startsWith("acquire");
    }

    /** Extends leases. */
    public static boolean isRenew(RedisCommand command) {
        return of(command).startsWith("renew");
    }

    /** Gives a lock back, by script or by the server's own command; not the clean-up of an abandoned acquire. */
    public static boolean isRelease(RedisCommand command) {
        return switch (of(command)) {
            case "release", "release-owner", "DELEX", "DELIFEQ" -> true;
            default -> false;
        };
    }

    private static Map<String, String> load() {
        Map<String, String> verbs = new HashMap<>();
        for (String file : FILES) {
            String script = script(file);
            verbs.put(script, file);
            verbs.put(sha1(script), file);
        }
        return verbs;
    }

    /** The text of a script as it is loaded, with what it includes. */
    static String script(String file) {
        try (InputStream in = Holdfast.class.getResourceAsStream(file + ".lua")) {
            String text = new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
            return INCLUDE.matcher(text).replaceAll(line -> Matcher.quoteReplacement(script(line.group(1))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
