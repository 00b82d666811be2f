// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.spi.RedisAddress;
import picocli.CommandLine.Option;

/** The options of commands that look at a server which is there already. */
final class ServerOptions {
    @Option(
            names = "--redis",
            paramLabel = "URI",
            defaultValue = "redis://localhost:6379",
            description = {"The server; default: redis://localhost:6379. " + Redis.URI_HELP})
    private String redis = "";

    @Option(
            names = "--prefix",
            paramLabel = "P",
            defaultValue = "holdfast",
            description = "The application's key prefix; default: ${DEFAULT-VALUE}.")
    private String prefix = "";

    RedisAddress address() {
        return Redis.address(redis);
    }

    String prefix() {
        return prefix;
    }
}
