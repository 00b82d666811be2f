// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit.faults;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that sees every reply as it is on the wire, and may send many requests before it reads one. */
final class Wire implements AutoCloseable {
    private final Socket socket = new Socket();
    private final RespReader in;

    Wire(String host, int port) throws IOException {
        socket.connect(new InetSocketAddress(host, port), 10_000);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        in = new RespReader(socket.getInputStream());
    }

    Wire patience(int millis) throws IOException {
        socket.setSoTimeout(millis);
        return this;
    }

    Wire send(String... words) throws IOException {
        return sendRaw(encoded(words));
    }

    /** Commands, their words apart by blanks, in one write: the first may have broken the connection before a second. */
    Wire sendTogether(String... commands) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String command : commands) {
            all.append(encoded(command.split(" ", -1)));
        }
        return sendRaw(all.toString());
    }

    private static String encoded(String... words) {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String word : words) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            request.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            request.writeBytes(bytes);
            request.writeBytes(new byte[] {'\r', '\n'});
        }
        return request.toString(StandardCharsets.UTF_8);
    }

    Wire sendRaw(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** The next reply, line ends shown as spaces. */
    String read() throws IOException {
        Message.Reply reply = in.reply();
        if (reply == null) {
            throw new EOFException("closed");
        }
        return reply.text().replace("\r\n", " ").strip();
    }

    String ask(String... words) throws IOException {
        return send(words).read();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
