// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import io.holdfast.embedded.EmbeddedRedis;
import java.nio.file.Path;

/** On H2 in a file, which is the default. */
class H2OrderServiceTest extends OrderServiceContract {
    @Override
    Running start(EmbeddedRedis redis, Path folder) {
        return Running.start(redis, folder);
    }
}
