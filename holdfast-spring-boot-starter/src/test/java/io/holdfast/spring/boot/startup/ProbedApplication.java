// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot.startup;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A web application with Redis and nothing in it, run in a JVM of its own with or without the starter on the class path. Prints
 * what it took until it was ready: by the clock from {@code main} on, in processor time of the main thread and of the whole
 * process, and in classes loaded.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
public class ProbedApplication {
    static final String READY = "ready: ";

    /** For Spring. */
    public ProbedApplication() {}

    /** Starts, tells, ends. */
    public static void main(String[] arguments) {
        long startedAt = System.nanoTime();
        try (ConfigurableApplicationContext context = new SpringApplication(ProbedApplication.class)
                .run("--server.port=0", "--spring.main.banner-mode=off")) {
            long clockMillis = (System.nanoTime() - startedAt) / 1_000_000;
            long workMillis = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1_000_000;
            long processMillis = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                            .getProcessCpuTime()
                    / 1_000_000;
            long classes = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
            System.out.println(READY + clockMillis + " " + workMillis + " " + processMillis + " " + classes + " "
                    + context.containsBean("holdfast"));
        }
    }
}
