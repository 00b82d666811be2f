// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import javax.net.ssl.SSLParameters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;

/**
 * Whether a Jedis client of the application checks that a certificate is for the host it called. Jedis does not by itself, and Boot
 * does not ask it to: any certificate that is trusted for any host will do. That is the application's own client, which a library
 * of locks does not change behind its back; so it is only told.
 */
final class HostCheck {
    private static final Logger log = LoggerFactory.getLogger(HostCheck.class);

    private HostCheck() {}

    static void warnIfMissing(JedisClientConfiguration client) {
        if (client.isUseSsl() && !isAskedFor(client)) {
            log.warn(
                    "The application's Jedis client uses TLS but does not check that the server's certificate is for the host it"
                            + " calls: whoever has a trusted certificate for any host can pose as the Redis that keeps the locks. Ask for"
                            + " the check with a JedisClientConfigurationBuilderCustomizer that sets SSLParameters with the endpoint"
                            + " identification algorithm HTTPS (docs/spring.md), or use Lettuce.");
        }
    }

    /** A customizer of Jedis's own configuration may ask for it too; that can't be seen, and gets the benefit of the doubt. */
    private static boolean isAskedFor(JedisClientConfiguration client) {
        String algorithm = client.getSslParameters()
                .map(SSLParameters::getEndpointIdentificationAlgorithm)
                .orElse("");
        return !algorithm.isEmpty()
                || client.getHostnameVerifier().isPresent()
                || client.getClientConfigCustomizer().isPresent();
    }
}
