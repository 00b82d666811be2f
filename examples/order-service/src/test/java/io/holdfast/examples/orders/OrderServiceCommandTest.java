// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.orders.OrderServiceCommand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import picocli.CommandLine;

@ExtendWith(OutputCaptureExtension.class)
class OrderServiceCommandTest {

    @BeforeEach
    void nameTheService() {
        System.setProperty(OrderServiceCommand.CLASS_PATH, System.getProperty("java.class.path"));
    }

    @AfterEach
    void forgetTheService() {
        System.clearProperty(OrderServiceCommand.CLASS_PATH);
    }

    @Test
    void orders_pressedManyTimesOnTwoInstances_areMadeAndPaidOnce(CapturedOutput output) {
        int exitCode = new CommandLine(new OrderServiceCommand()).execute("--seconds", "2");

        assertThat(output)
                .contains("OK: every order was made once and paid once.")
                .doesNotContain(" 0 duplicates");
        assertThat(exitCode).isZero();
    }
}
