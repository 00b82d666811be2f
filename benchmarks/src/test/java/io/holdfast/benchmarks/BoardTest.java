// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.benchmarks.Board.Phase;
import io.holdfast.spi.RedisAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A benchmark that takes a broken lock for a fast one would be worse than none. */
class BoardTest {

    @Test
    void lockThatDoesNotLock_isFoundOut() throws InterruptedException {
        Board board = Board.inMemory();
        try (Contender nobody = Entry.UNLOCKED.open(RedisAddress.local())) {
            Crew crew = Crew.assemble(nobody, Scenario.ONE_16, board);
            board.phase(Phase.MEASURE);
            await().until(() -> board.overlaps() > 0);
            board.phase(Phase.STOP);

            assertThat(crew.disband().total()).isPositive();
        }
    }

    @Test
    void lockThatLocks_hasNoOverlap() throws InterruptedException {
        Board board = Board.inMemory();
        InProcess lock = new InProcess();
        Crew crew = Crew.assemble(lock, Scenario.ONE_16, board);
        board.phase(Phase.MEASURE);
        await().until(() -> lock.grants.get() > 20_000);
        board.phase(Phase.STOP);
        Share share = crew.disband();

        assertThat(board.overlaps()).isZero();
        assertThat(share.grants()).hasSize(16);
        assertThat(share.waits().getTotalCount()).isGreaterThanOrEqualTo(share.total());
    }

    @Test
    void twoProcesses_seeEachOther(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("board"));
        Board one = Board.in(file);
        Board other = Board.in(file);
        one.enter(3, 1);
        other.enter(4, 2);
        assertThat(one.overlaps()).isZero();

        other.enter(3, 2);

        assertThat(one.overlaps()).isEqualTo(1);
        one.leave(3, 1); // finds the other's mark
        assertThat(other.overlaps()).isEqualTo(2);
        one.clear();
        assertThat(other.overlaps()).isZero();
    }

    private static final class InProcess implements Contender {
        private final ReentrantLock lock = new ReentrantLock();
        private final AtomicInteger grants = new AtomicInteger();

        @Override
        public Grant acquire(String key) {
            lock.lock();
            grants.incrementAndGet();
            return lock::unlock;
        }

        @Override
        public void close() {}
    }
}
