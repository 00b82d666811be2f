// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.LockException;
import io.holdfast.cli.orders.OrderServiceCommand;
import io.holdfast.cli.torture.TortureCommand;
import io.holdfast.cli.torture.TortureWorker;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code holdfast} command. */
@Command(
        name = "holdfast",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = {"A distributed lock for Java on Redis and Valkey.", ""},
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "In a source tree there is also 'holdfast bench', which measures Holdfast beside other locks.",
            "",
            "'holdfast COMMAND --help' tells more about a command."
        },
        subcommands = {
            DemoCommand.class,
            InspectCommand.class,
            DoctorCommand.class,
            TortureCommand.class,
            OrderServiceCommand.class,
            DemoWorker.class,
            TortureWorker.class
        })
public final class Main implements Runnable {
    @Option(
            names = {"-v", "--verbose"},
            hidden = true,
            scope = ScopeType.INHERIT,
            description = "Show the stack trace of an error.")
    private boolean verbose;

    private Main() {}

    /** Runs a command and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        Main main = new Main();
        return new CommandLine(main)
                .setParameterExceptionHandler((wrong, arguments) -> reject(wrong))
                .setExecutionExceptionHandler((failure, line, result) -> main.report(failure, line.getErr()));
    }

    /** Without a command: the help, and that this was not enough. */
    @Override
    public void run() {
        throw new CommandFailure("which command? Try 'holdfast --help'", null);
    }

    /** What is wrong, and what was probably meant. An argument may be an address with a password, and is shown. */
    private static int reject(ParameterException wrong) {
        PrintWriter err = wrong.getCommandLine().getErr();
        err.println("holdfast: " + Format.withoutPassword(String.valueOf(wrong.getMessage())));
        if (!UnmatchedArgumentException.printSuggestions(wrong, err)) {
            err.println("Try '" + wrong.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
        }
        err.flush();
        return ExitCode.USAGE;
    }

    private int report(Exception failure, PrintWriter err) {
        boolean expected = failure instanceof CommandFailure || failure instanceof LockException;
        err.println(
                "holdfast: " + (expected || failure.getMessage() != null ? failure.getMessage() : failure.toString()));
        if (verbose) {
            failure.printStackTrace(err);
        }
        err.flush();
        return ExitCode.USAGE;
    }

    /** The version in the manifest of the jar. */
    public static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"holdfast " + (version == null ? "(not run from its jar)" : version)};
        }
    }
}
