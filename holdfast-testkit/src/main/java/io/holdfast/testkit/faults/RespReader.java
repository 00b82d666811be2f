// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cuts a stream of RESP2 or RESP3 into whole messages. Not thread-safe. */
final class RespReader {
    private final InputStream in;
    private final ByteArrayOutputStream raw = new ByteArrayOutputStream();

    RespReader(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /** The next command, or null when the stream has ended. */
    Message.@Nullable Request request() throws IOException {
        if (atEnd()) {
            return null;
        }
        String line = line();
        if (!line.startsWith("*")) { // as somebody types it into a terminal
            return new Message.Request(
                    taken(), line.isBlank() ? List.of() : List.of(line.strip().split(" +")));
        }
        List<String> words = new ArrayList<>();
        for (int left = number(line.substring(1)); left > 0; left--) {
            words.add(value());
        }
        return new Message.Request(taken(), List.copyOf(words));
    }

    /** The next reply or push, or null when the stream has ended. */
    Message.@Nullable Reply reply() throws IOException {
        if (atEnd()) {
            return null;
        }
        String first = value();
        byte[] bytes = taken();
        char type = (char) bytes[0];
        return new Message.Reply(bytes, type, type == '*' || type == '>' ? first : "");
    }

    /** Reads one value, however deep, and returns its first text. */
    private String value() throws IOException {
        String line = line();
        if (line.isEmpty()) {
            throw new ProtocolException("neither RESP2 nor RESP3: an empty line");
        }
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', '-', ':', '_', '#', ',', '(' -> rest;
            case '$', '!', '=' -> text(number(rest));
            case '*', '~', '>' -> values(number(rest));
            case '%' -> values(2 * number(rest));
            case '|' -> { // something about the value that follows, and part of its message
                values(2 * number(rest));
                yield value();
            }
            default -> throw new ProtocolException("neither RESP2 nor RESP3: " + line);
        };
    }

    private static int number(String text) throws ProtocolException {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new ProtocolException("neither RESP2 nor RESP3: not a length: " + text);
        }
    }

    private String values(int count) throws IOException {
        String first = "";
        for (int i = 0; i < count; i++) {
            String next = value();
            first = i == 0 ? next : first;
        }
        return first;
    }

    private String text(int length) throws IOException {
        if (length < 0) {
            return "";
        }
        byte[] bytes = in.readNBytes(length + 2);
        if (bytes.length < length + 2) {
            throw new EOFException("the stream ended inside a message");
        }
        raw.writeBytes(bytes);
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the stream ended inside a message");
            }
            raw.write(c);
            line.append((char) c);
        }
        raw.write('\n');
        return line.toString().stripTrailing();
    }

    private boolean atEnd() throws IOException {
        in.mark(1);
        int next = in.read();
        in.reset();
        return next < 0;
    }

    private byte[] taken() {
        byte[] bytes = raw.toByteArray();
        raw.reset();
        return bytes;
    }
}
