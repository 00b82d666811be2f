// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.orders;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TallyTest {
    private final Tally tally = new Tally();

    @Test
    void onceEach_isGood() {
        tally.created(List.of(409, 201, 409));
        tally.paid(List.of(200, 409, 409));

        assertThat(tally.isGood()).isTrue();
        assertThat(tally.lines()).contains("1 order placed: 1 made exactly once, 2 duplicates refused");
    }

    @Test
    void nothing_isNotGood() {
        assertThat(tally.isGood()).isFalse();
    }

    @Test
    void madeTwiceOrNotAtAll_isNotGood() {
        tally.created(List.of(201, 201));
        tally.paid(List.of(200, 409));
        assertThat(tally.isGood()).isFalse();

        Tally none = new Tally();
        none.created(List.of(409, 409));
        none.paid(List.of(200, 409));
        assertThat(none.isGood()).isFalse();
    }

    @Test
    void paidTwice_isNotGood() {
        tally.created(List.of(201, 409));
        tally.paid(List.of(200, 200));

        assertThat(tally.isGood()).isFalse();
        assertThat(tally.lines()).contains("FAILED: see above.");
    }

    @Test
    void anyOtherAnswer_isNotGood() {
        tally.created(List.of(201, 503));
        tally.paid(List.of(200, 409));

        assertThat(tally.isGood()).isFalse();
    }
}
