// SPDX-License-Identifier: Apache-2.0
package io.holdfast.embedded;

import java.nio.file.Path;

/**
 * The program of a second JVM: starts a server, prints {@code pid port folder}, and lives until its input ends. Told
 * so, it also talks to the server from a shutdown hook.
 */
final class ServerOwner {
    private ServerOwner() {}

    public static void main(String[] arguments) throws Exception {
        EmbeddedRedis redis = EmbeddedRedis.start();
        Path folder = LifecycleTest.folder(redis);
        if (arguments.length > 0 && arguments[0].equals("last-words")) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> sayGoodbye(redis)));
        }
        if (arguments.length > 0 && arguments[0].equals("dead-server")) {
            redis.kill();
        }
        System.out.println(redis.pid() + " " + redis.port() + " " + folder);
        System.in.readAllBytes();
    }

    private static void sayGoodbye(EmbeddedRedis redis) {
        try (Wire wire = new Wire(redis)) {
            System.out.println("from the hook: " + wire.ask("PING"));
        } catch (Exception e) {
            System.out.println("from the hook: " + e);
        }
    }
}
