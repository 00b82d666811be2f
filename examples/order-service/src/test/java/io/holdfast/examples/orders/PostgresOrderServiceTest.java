// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import io.holdfast.embedded.EmbeddedRedis;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;

/** On a real PostgreSQL, with the profile for it. */
class PostgresOrderServiceTest extends OrderServiceContract {
    private EmbeddedPostgres postgres;

    @Override
    Running start(EmbeddedRedis redis, Path folder) {
        try {
            postgres = EmbeddedPostgres.start();
        } catch (IOException | IllegalStateException e) {
            Assumptions.abort("PostgreSQL does not start here, as root for example: " + e);
        }
        return Running.start(
                redis,
                folder,
                "--spring.profiles.active=postgres",
                "--POSTGRES_PORT=" + postgres.getPort(),
                "--POSTGRES_DB=postgres",
                "--POSTGRES_USER=postgres");
    }

    @AfterAll
    void stopPostgres() throws IOException {
        if (postgres != null) {
            postgres.close();
        }
    }
}
