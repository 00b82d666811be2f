// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.stereotype.Component;

/** Stands for somebody else's service: it takes its time. */
@Component
public class PaymentProvider {
    private static final Logger log = LoggerFactory.getLogger(PaymentProvider.class);

    private final Duration time;

    PaymentProvider(Settings settings) {
        this.time = settings.paymentTime();
    }

    void charge(Order order) {
        log.info("Charging {} cents for order {}", order.amountCents(), order.id());
        long startedAt = System.nanoTime();
        long left = time.toNanos();
        while (left > 0) {
            LockSupport.parkNanos(left);
            left = time.toNanos() - (System.nanoTime() - startedAt);
        }
    }

    /**
     * What is under {@code orders}.
     *
     * @param paymentTime how long a payment takes
     */
    @ConfigurationProperties("orders")
    record Settings(Duration paymentTime) {}
}
