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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One Lua file, and how to call it: {@code EVALSHA} by default, {@code EVAL} once a server does not know it. */
final class Script {
    private static final Pattern INCLUDE = Pattern.compile("(?m)^-- include: (\\w+)\n");

    static final Script ACQUIRE = new Script("acquire");
    static final Script ACQUIRE_FAIR = new Script("acquire-fair");
    static final Script ACQUIRE_OWNER = new Script("acquire-owner");
    static final Script RENEW = new Script("renew");
    static final Script RENEW_OWNER = new Script("renew-owner");
    static final Script RELEASE = new Script("release");
    static final Script RELEASE_OWNER = new Script("release-owner");
    static final Script ABANDON = new Script("abandon");
    static final Script END = new Script("end");
    static final Script INSPECT = new Script("inspect");
    static final Script FENCED_SET = new Script("fenced-set");

    private static final int FIRST_KEY = 3;

    private final String file;
    /** Read when first needed: the first lock of a process should not wait for all the others. */
    private volatile @Nullable Source source;

    private record Source(String text, String sha) {}

    private Script(String file) {
        this.file = file;
    }

    /** Reads it ahead of its first use. */
    void prepare() {
        source();
    }

    RedisCommand bySha(List<String> keys, List<String> args) {
        return call("EVALSHA", source().sha, keys, args);
    }

    RedisCommand byText(List<String> keys, List<String> args) {
        return call("EVAL", source().text, keys, args);
    }

    private Source source() {
        Source known = source;
        if (known == null) { // two threads at once make the same
            String text = read(file);
            known = new Source(text, sha1(text));
            source = known;
        }
        return known;
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

    /** The file's text, with what it includes in place of the lines that say so. */
    private static String read(String file) {
        try (InputStream in = Script.class.getResourceAsStream(file + ".lua")) {
            String text = new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
            return INCLUDE.matcher(text).replaceAll(line -> Matcher.quoteReplacement(read(line.group(1))));
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
