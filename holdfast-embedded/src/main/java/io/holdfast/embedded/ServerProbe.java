// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Asks a server who it is, with as little of the Redis protocol as that takes. */
final class ServerProbe {
    private static final int TIMEOUT_MILLIS = 250;
    private static final Pattern PID = Pattern.compile("(?m)^process_id:(\\d+)");
    private static final Pattern VALKEY = Pattern.compile("(?m)^valkey_version:(\\S+)");
    private static final Pattern REDIS = Pattern.compile("(?m)^redis_version:(\\S+)");

    private ServerProbe() {}

    /** The server's own account of itself. */
    record Identity(long pid, String version) {}

    /**
     * One round of AUTH (if there is a password), PING and INFO.
     *
     * @throws IOException if nobody answers, or with anything but what a server in service answers
     */
    static Identity ask(ServerOptions options) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(options.host(), options.port()), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            if (options.password() != null) {
                expect("OK", call(in, out, "AUTH", options.password()));
            }
            expect("PONG", call(in, out, "PING"));
            return identity(call(in, out, "INFO", "server"));
        }
    }

    static Identity identity(String info) throws IOException {
        Matcher valkey = VALKEY.matcher(info);
        // Valkey also states the redis_version it is compatible with, so its own comes first.
        String version = valkey.find() ? "valkey " + valkey.group(1) : "redis " + field(REDIS, info);
        return new Identity(Long.parseLong(field(PID, info)), version);
    }

    private static String field(Pattern field, String info) throws IOException {
        Matcher matcher = field.matcher(info);
        if (!matcher.find()) {
            throw new IOException("INFO lacks " + field);
        }
        return matcher.group(1);
    }

    private static void expect(String expected, String reply) throws IOException {
        if (!reply.equals(expected)) {
            throw new IOException("answered '" + reply + "' instead of " + expected);
        }
    }

    private static String call(InputStream in, OutputStream out, String... words) throws IOException {
        StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            int bytes = word.getBytes(StandardCharsets.UTF_8).length;
            request.append("$").append(bytes).append("\r\n").append(word).append("\r\n");
        }
        out.write(request.toString().getBytes(StandardCharsets.UTF_8));
        String reply = line(in);
        if (reply.startsWith("+")) {
            return reply.substring(1);
        }
        if (reply.matches("\\$\\d{1,6}")) {
            byte[] bulk = in.readNBytes(Integer.parseInt(reply.substring(1)));
            return new String(bulk, StandardCharsets.UTF_8);
        }
        throw new IOException("answered '" + reply + "' to " + words[0]);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("closed the connection");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }
}
