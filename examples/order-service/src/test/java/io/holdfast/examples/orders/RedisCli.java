// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import io.holdfast.embedded.EmbeddedRedis;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What redis-cli would print, on machines that have none: the server itself splits a line into words, quotes and all. */
final class RedisCli {
    private final EmbeddedRedis redis;

    RedisCli(EmbeddedRedis redis) {
        this.redis = redis;
    }

    /** One element for each line of the answer; none for a key that is not there. */
    List<String> run(String line) {
        try (Socket socket = new Socket(redis.host(), redis.port());
                BufferedReader answer =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
            return read(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long number(String line) {
        return Long.parseLong(run(line).get(0));
    }

    private static List<String> read(BufferedReader answer) throws IOException {
        String head = answer.readLine();
        String rest = head.substring(1);
        return switch (head.charAt(0)) {
            case '*' -> readAll(answer, Integer.parseInt(rest));
            case '$' -> rest.equals("-1") ? List.of() : List.of(answer.readLine());
            case ':', '+' -> List.of(rest);
            default -> throw new AssertionError(head);
        };
    }

    private static List<String> readAll(BufferedReader answer, int count) throws IOException {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.addAll(read(answer));
        }
        return all;
    }
}
