// SPDX-License-Identifier: Apache-2.0
package io.holdfast;

import io.holdfast.spi.RedisCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/** One Lua file, and how to call it: {@code EVALSHA} by default, {@code EVAL} once a server does not know it. */
final class Script {
    static final Script ACQUIRE = shared("acquire");
    static final Script ACQUIRE_OWNER = shared("acquire-owner");
    static final Script RENEW = plain("renew");
    static final Script RENEW_OWNER = shared("renew-owner");
    static final Script RELEASE = plain("release");
    static final Script RELEASE_OWNER = shared("release-owner");
    static final Script ABANDON = shared("abandon");
    static final Script INSPECT = shared("inspect");
    static final Script FENCED_SET = plain("fenced-set");

    private static final int FIRST_KEY = 3;

    private final String text;
    private final String sha;

    private Script(String text) {
        this.text = text;
        this.sha = sha1(text);
    }

    RedisCommand bySha(List<String> keys, List<String> args) {
        return call("EVALSHA", sha, keys, args);
    }

    RedisCommand byText(List<String> keys, List<String> args) {
        return call("EVAL", text, keys, args);
    }

    private static RedisCommand call(String command, String script, List<String> keys, List<String> args) {
        List<String> words = new ArrayList<>(FIRST_KEY + keys.size() + args.size());
        words.add(command);
        words.add(script);
        words.add(Integer.toString(keys.size()));
        words.addAll(keys);
        words.addAll(args);
        return new RedisCommand(words, FIRST_KEY);
    }

    private static Script plain(String verb) {
        return new Script(read(verb));
    }

    private static Script shared(String verb) {
        return new Script(read("common") + "\n" + read(verb));
    }

    private static String read(String verb) {
        try (InputStream in = Script.class.getResourceAsStream(verb + ".lua")) {
            return new String(Objects.requireNonNull(in, verb).readAllBytes(), StandardCharsets.UTF_8);
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
