// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A raw connection that speaks Redis inline commands, independent of the code under test. */
final class Wire implements AutoCloseable {
    private final Socket socket = new Socket();
    private final BufferedReader in;

    Wire(EmbeddedRedis redis) throws IOException {
        this(redis.host(), redis.port());
    }

    Wire(String host, int port) throws IOException {
        socket.connect(new InetSocketAddress(host, port), 2_000);
        socket.setSoTimeout(2_000);
        in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    void replyWithin(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    /** The last line of the reply, whose number of lines the caller knows. */
    String ask(String command, int lines) throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
        return read(lines);
    }

    String ask(String command) throws IOException {
        return ask(command, 1);
    }

    String read(int lines) throws IOException {
        String line = "";
        for (int i = 0; i < lines; i++) {
            line = in.readLine();
        }
        return line;
    }

    /** One setting as the server has it. */
    String config(String name) throws IOException {
        return ask("CONFIG GET " + name, 5);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
