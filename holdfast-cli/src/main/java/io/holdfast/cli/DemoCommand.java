// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Reads the options of a {@link Demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = {
            "Starts a real Redis and worker processes that contend for locks, kills one worker and pauses another in"
                    + " the middle of a hold, shows what happens, and proves from the workers' own records that no"
                    + " lock ever had two holders and that no stale write got through.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:All is well.",
            "1:A lock had two holders, a stale write was accepted, or a lock did not come back.",
            "2:The command line is wrong, or Redis or the machine did not play along."
        })
final class DemoCommand implements Callable<Integer> {
    @Option(
            names = "--redis",
            paramLabel = "URI",
            description = {
                "Use this server instead of starting one; all keys are under a prefix of their own and deleted at the"
                        + " end. " + Redis.URI_HELP
            })
    private @Nullable String redis;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "20",
            description = "How long to run, 6 to 600; default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--workers",
            paramLabel = "N",
            defaultValue = "3",
            description = "Worker processes, 2 to 20; default: ${DEFAULT-VALUE}.")
    private int workers;

    @Option(
            names = "--locks",
            paramLabel = "N",
            defaultValue = "5",
            description = "Locks they contend for, 1 to 50; default: ${DEFAULT-VALUE}.")
    private int locks;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Makes the workers' random choices, and who is hit, the same as in an earlier run.")
    private @Nullable Long seed;

    @Option(
            names = "--history",
            paramLabel = "DIR",
            description = "Keep the records the verdict is made from in this folder, which must be empty or new.")
    private @Nullable Path history;

    @Option(names = "--skip-locks", hidden = true, description = "Break mutual exclusion, to see the verdict find it.")
    private boolean skipLocks;

    @Override
    public Integer call() {
        Options.within("--seconds", seconds, 6, 600);
        Options.within("--workers", workers, 2, 20);
        Options.within("--locks", locks, 1, 50);
        long chosen = seed != null ? seed : new SplittableRandom().nextInt(1_000_000);
        Screen screen = Screen.standard();
        Verdict verdict;
        try (Cleanup cleanup = new Cleanup()) {
            verdict = new Demo(
                            new Demo.Settings(redis, workers, locks, seconds, chosen, history, skipLocks),
                            screen,
                            cleanup)
                    .run();
        }
        screen.leaveTable();
        VerdictText.lines(verdict).forEach(screen::say);
        if (!verdict.isSafe()) {
            return 1;
        }
        return verdict.isComplete() ? 0 : verdict.failures() > 0 ? 2 : 1;
    }
}
