// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Starts the service. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class OrderServiceApplication {

    /** Takes Spring Boot's arguments. */
    public static void main(String[] arguments) {
        SpringApplication.run(OrderServiceApplication.class, arguments);
    }
}
