// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import org.springframework.boot.WebApplicationType;

/** On Tomcat, with nothing set. */
class MvcAnswersTest extends HttpAnswers {

    @Override
    WebApplicationType type() {
        return WebApplicationType.SERVLET;
    }

    @Override
    int busyStatus() {
        return 409;
    }

    @Override
    boolean showsKey() {
        return false;
    }
}
