// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.RedisAddress;
import io.holdfast.spi.RedisConnector;
import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Boot's Jedis client checks the certificate but not the host name, which is warned about. */
@ExtendWith(OutputCaptureExtension.class)
class JedisTlsTest extends SpringTlsContract {
    private static SSLContext before;

    JedisTlsTest() {
        super("jedis", Application.class);
    }

    /** Boot gives Jedis the JVM's own context, which is made only once: so here it is made for each test. */
    @Override
    protected RedisConnector connect(RedisAddress address) {
        try {
            SSLContext current = SSLContext.getInstance("TLS");
            current.init(null, null, null); // trusts what the system properties say now
            SSLContext.setDefault(current);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        return super.connect(address);
    }

    @BeforeAll
    static void keepContext() throws NoSuchAlgorithmException {
        before = SSLContext.getDefault();
    }

    @AfterAll
    static void restoreContext() {
        SSLContext.setDefault(before);
    }

    @Override
    protected boolean checksHost() {
        return false;
    }

    @AfterEach
    void theMissingCheckIsWarnedOf(CapturedOutput output) {
        assertThat(output)
                .containsOnlyOnce("uses TLS but does not check that the server's certificate is for the host it calls");
    }
}
