// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A second way to the server, independent of the client libraries under test: speaks RESP2 over one blocking socket.
 * Not thread-safe. Gives up after 10 s without an answer.
 */
public final class RawRedis implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 10_000;

    private final String host;
    private final int port;
    private final Socket socket = new Socket();
    private final InputStream in;
    private final OutputStream out;

    /** Connects. */
    public RawRedis(String host, int port) {
        this.host = host;
        this.port = port;
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            in = new BufferedInputStream(socket.getInputStream());
            out = new BufferedOutputStream(socket.getOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot connect to " + host + ":" + port, e);
        }
    }

    /**
     * Sends a command and returns its reply: {@code Long}, {@code String}, {@code null} or a list of these.
     *
     * @throws ErrorReply when the server answers with an error
     */
    public @Nullable Object call(String... words) {
        try {
            write(words);
            return read();
        } catch (IOException e) {
            throw new UncheckedIOException("no reply to " + words[0], e);
        }
    }

    /** The string at a key, or null. */
    public @Nullable String get(String key) {
        return (String) call("GET", key);
    }

    /** Milliseconds a key still lives, -1 for ever, -2 when there is none. */
    public long pttl(String key) {
        return number(call("PTTL", key));
    }

    /** Whether there is such a key. */
    public boolean exists(String key) {
        return number(call("EXISTS", key)) == 1;
    }

    /** Turns this connection into a listener on all commands the server runs from now on; closes with the monitor. */
    public Monitor monitor() {
        call("MONITOR");
        return new Monitor(this, new RawRedis(host, port));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void waitForEver() throws IOException {
        socket.setSoTimeout(0);
    }

    @Nullable
    Object read() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case ':' -> Long.valueOf(rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> list(Integer.parseInt(rest));
            case '-' -> throw new ErrorReply(rest);
            default -> throw new IOException("not RESP2: " + line);
        };
    }

    private void write(String... words) throws IOException {
        out.write(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            out.write(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(bytes);
            out.write('\r');
            out.write('\n');
        }
        out.flush();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\r'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the server closed the connection");
            }
            line.append((char) c);
        }
        in.skipNBytes(1);
        return line.toString();
    }

    private @Nullable String bulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        in.skipNBytes(2);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private @Nullable List<@Nullable Object> list(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        List<@Nullable Object> list = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            list.add(read());
        }
        return list;
    }

    private static long number(@Nullable Object reply) {
        if (reply instanceof Long number) {
            return number;
        }
        throw new IllegalStateException("expected a number, got " + reply);
    }

    /** The server answered with an error; the message is its line. */
    public static final class ErrorReply extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        ErrorReply(String line) {
            super(line);
        }
    }
}
