// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.orders;

import io.holdfast.cli.Cleanup;
import io.holdfast.cli.CommandFailure;
import io.holdfast.cli.Folders;
import io.holdfast.cli.Main;
import io.holdfast.cli.Options;
import io.holdfast.cli.Screen;
import io.holdfast.embedded.EmbeddedRedis;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts the example and judges what its customers were told. */
@Command(
        name = "order-service",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = {
            "Starts two instances of the example order service on one embedded Redis and one database. Customers place"
                    + " each order, and pay for it, several times at once on both of them; shows that each order is"
                    + " made once and paid once, and the rest refused.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:Every order was made once and paid once.",
            "1:An order was made or paid twice, or not at all.",
            "2:The command line is wrong, or an instance did not start."
        })
public final class OrderServiceCommand implements Callable<Integer> {
    /** Names the class path of the service; the launcher sets it. */
    public static final String CLASS_PATH = "holdfast.order-service.class-path";

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "15",
            description = "How long customers come, 2 to 600; default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--clicks",
            paramLabel = "N",
            defaultValue = "6",
            description = "How often each customer presses the button, 2 to 50; default: ${DEFAULT-VALUE}.")
    private int clicks;

    @Option(names = "--stay", description = "Afterwards leave the instances running until Ctrl-C, to try them.")
    private boolean stay;

    @Override
    public Integer call() {
        Options.within("--seconds", seconds, 2, 600);
        Options.within("--clicks", clicks, 2, 50);
        String classPath = System.getProperty(CLASS_PATH);
        if (classPath == null) {
            throw new CommandFailure(
                    "the order service is part of the source tree: run ./holdfast order-service there", null);
        }
        Screen screen = Screen.standard();
        try (Cleanup cleanup = new Cleanup()) {
            Path folder = cleanup.make(() -> Folders.temporary("orders"), Folders::delete);
            EmbeddedRedis redis = cleanup.make(EmbeddedRedis::start, EmbeddedRedis::close);
            screen.say("Redis: " + redis.version() + " at " + redis.uri() + "; starting two instances ...");
            Instance.Place place = new Instance.Place(classPath, redis.port(), folder);
            List<Instance> instances = List.of(
                    cleanup.make(() -> Instance.start("a", place), Instance::close),
                    cleanup.make(() -> Instance.start("b", place), Instance::close));
            instances.forEach(instance -> screen.say("Instance " + instance.name() + " at " + instance.awaitAddress()));
            Tally tally = new Customers(instances, clicks).come(seconds, screen);
            tally.lines().forEach(screen::say);
            if (stay) {
                stay(instances, screen);
            }
            return tally.isGood() ? 0 : 1;
        }
    }

    private static void stay(List<Instance> instances, Screen screen) {
        screen.say("The instances go on until Ctrl-C. For example:");
        screen.say(
                "  curl -i -X POST " + instances.get(0).awaitAddress() + "/orders -H 'Content-Type: application/json'"
                        + " -d '{\"userId\":1,\"items\":[{\"sku\":\"sku001\",\"quantity\":2}],\"amountCents\":9900}'");
        instances.forEach(Instance::awaitEnd);
    }
}
