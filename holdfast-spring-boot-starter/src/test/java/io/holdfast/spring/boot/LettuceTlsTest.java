// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The application's Lettuce client checks certificate and host name for the locks. */
@ExtendWith(OutputCaptureExtension.class)
class LettuceTlsTest extends SpringTlsContract {
    LettuceTlsTest() {
        super("lettuce", Application.class);
    }

    @AfterEach
    void nothingIsWarnedOf(CapturedOutput output) {
        assertThat(output).doesNotContain("does not check that the server's certificate");
    }
}
