// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import org.springframework.boot.WebApplicationType;

/** On Netty, with what can be set. */
class WebFluxAnswersTest extends HttpAnswers {

    @Override
    WebApplicationType type() {
        return WebApplicationType.REACTIVE;
    }

    @Override
    int busyStatus() {
        return 423;
    }

    @Override
    boolean showsKey() {
        return true;
    }
}
