// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.data.redis.autoconfigure.JedisClientConfigurationBuilderCustomizer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** With the customizer of docs/spring.md, and with an SSL bundle: Jedis checks the host name too. */
@ExtendWith(OutputCaptureExtension.class)
class JedisHostCheckTest extends SpringTlsContract {
    private static final String STORE = "javax.net.ssl.trustStore";

    JedisHostCheckTest() {
        super("jedis", Checked.class);
    }

    /** What the JVM is to trust, if anything, only the application does. */
    @Override
    List<String> tls() {
        String store = System.clearProperty(STORE);
        return store == null
                ? super.tls()
                : List.of(
                        "spring.data.redis.ssl.bundle=redis",
                        "spring.ssl.bundle.jks.redis.truststore.location=file:" + store,
                        "spring.ssl.bundle.jks.redis.truststore.type=PKCS12",
                        "spring.ssl.bundle.jks.redis.truststore.password="
                                + System.getProperty("javax.net.ssl.trustStorePassword"));
    }

    @AfterEach
    void nothingIsWarnedOf(CapturedOutput output) {
        assertThat(output).doesNotContain("does not check that the server's certificate");
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Application.class)
    static class Checked {
        @Bean
        JedisClientConfigurationBuilderCustomizer hostCheck() {
            SSLParameters parameters = new SSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            return client -> client.useSsl().sslParameters(parameters);
        }
    }
}
