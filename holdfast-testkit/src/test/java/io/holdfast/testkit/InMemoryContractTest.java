// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The in-memory store passes the suites the connectors pass, but for those that look at a real server. */
class InMemoryContractTest {
    private static final Path SUITES = Path.of("src/main/java/io/holdfast/testkit");
    /** The roots of those that look at a real server. */
    private static final List<String> OF_A_SERVER = List.of("ProtocolContract", "ServerContract");

    @Test
    void everySuiteForAnyStore_isRunHere() throws IOException {
        List<String> suites = new ArrayList<>();
        try (Stream<Path> files = Files.list(SUITES)) {
            for (Path file : files.toList()) {
                if (Files.isRegularFile(file) && Files.readString(file).contains(" extends LockContract {")) {
                    suites.add(file.getFileName().toString().replace(".java", ""));
                }
            }
        }
        suites.removeAll(OF_A_SERVER);

        assertThat(InMemoryContractTest.class.getDeclaredClasses())
                .extracting(suite -> suite.getSuperclass().getSimpleName())
                .containsExactlyInAnyOrderElementsOf(suites);
    }

    @Nested
    class Acquire extends AcquireContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class WithLock extends WithLockContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class KeySpace extends KeySpaceContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class ThreadLock extends ThreadLockContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class Renewal extends RenewalContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class Retry extends RetryContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class Interrupt extends InterruptContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class Async extends AsyncContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class Oversight extends OversightContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class ForceRelease extends ForceReleaseContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class ReleaseAfter extends ReleaseAfterContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class Inspect extends InspectContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class Close extends CloseContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class Owner extends OwnerContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }

    @Nested
    class OwnerExamples extends OwnerExamplesContract {
        @Override
        protected ContractFixture newFixture() {
            return new InMemoryFixture();
        }
    }
}
