// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a run is asked to do.
 *
 * @param rounds how often each contender has its turn, beside the warm-up
 * @param turn how long a turn lasts
 * @param threads the thread counts to measure, one after the other
 */
record Settings(int rounds, Duration turn, List<Integer> threads) {

    static final String USAGE = "options: --rounds 15 --seconds 1 --threads 1,32";

    static Settings parse(String... args) {
        int rounds = 15;
        double seconds = 1;
        List<Integer> threads = List.of(1, 32);
        for (int i = 0; i < args.length; i += 2) {
            if (i + 1 == args.length) {
                throw new IllegalArgumentException(args[i] + " needs a value; " + USAGE);
            }
            String value = args[i + 1];
            switch (args[i]) {
                case "--rounds" -> rounds = Integer.parseInt(value);
                case "--seconds" -> seconds = Double.parseDouble(value);
                case "--threads" ->
                    threads = Stream.of(value.split(",", -1))
                            .map(Integer::valueOf)
                            .toList();
                default -> throw new IllegalArgumentException("unknown option " + args[i] + "; " + USAGE);
            }
        }
        if (rounds < 1 || !(seconds > 0) || threads.stream().anyMatch(count -> count < 1)) {
            throw new IllegalArgumentException("rounds, seconds and threads must be positive; " + USAGE);
        }
        return new Settings(rounds, Duration.ofNanos((long) (seconds * 1e9)), threads);
    }
}
