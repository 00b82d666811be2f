// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.spi.RedisAddress;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Reads the options of a {@link Doctor} and says how it came out. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        description = {
            "Says whether a server is fit for locks, one line for each check: version, role, eviction, persistence,"
                    + " connections, clock, permissions, pub/sub, a trial with a lock of its own, and keys without a"
                    + " TTL. Each line says ok, warn or FAIL, what was found, why it matters, and after '->' what to do.",
            "The trial's keys have a TTL and are deleted; locks of others are not touched.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:Fit for locks, perhaps with warnings.",
            "1:A check failed; with --strict also: there are warnings.",
            "2:The command line is wrong, or Redis did not answer or did not let us in."
        })
final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(
            names = "--read-only",
            description =
                    "Only ask: try no lock, no pub/sub and no permission for writing. For a user that may only look.")
    private boolean readOnly;

    @Option(names = "--strict", description = "Warnings count as failures.")
    private boolean strict;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        RedisAddress address = server.address();
        requirePrefix();
        Doctor.knock(address);
        PrintWriter out = spec.commandLine().getOut();
        try (Patient patient = new Patient(address, server.prefix())) {
            Doctor doctor = new Doctor(patient, finding -> {
                out.println(finding.line());
                out.flush();
            });
            doctor.examine(readOnly);
            return conclude(doctor, address, out);
        }
    }

    private void requirePrefix() {
        try {
            Holdfast.builder().keyPrefix(server.prefix());
        } catch (IllegalArgumentException e) {
            throw new CommandFailure("--prefix: " + e.getMessage(), e);
        }
    }

    private int conclude(Doctor doctor, RedisAddress address, PrintWriter out) {
        int failures = doctor.count(Finding.Level.FAIL);
        int warnings = doctor.count(Finding.Level.WARN);
        boolean fit = failures == 0 && !(strict && warnings > 0);
        out.println();
        out.println(address + (fit ? " is fit for locks: " : " is NOT fit for locks: ")
                + Format.count(failures, "failure") + ", " + Format.count(warnings, "warning"));
        out.flush();
        return fit ? 0 : 1;
    }
}
