// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisAddressTest {

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            redis://localhost                         | localhost      | 6379 | -      | -       | 0  | false | 2000
            redis://localhost:7000                    | localhost      | 7000 | -      | -       | 0  | false | 2000
            redis://localhost:7000/                   | localhost      | 7000 | -      | -       | 0  | false | 2000
            ' redis://localhost '                     | localhost      | 6379 | -      | -       | 0  | false | 2000
            redis://10.0.0.1:6380/3                   | 10.0.0.1       | 6380 | -      | -       | 3  | false | 2000
            rediss://redis.internal                   | redis.internal | 6379 | -      | -       | 0  | true  | 2000
            redis://:secret@h                         | h              | 6379 | -      | secret  | 0  | false | 2000
            redis://secret@h                          | h              | 6379 | -      | secret  | 0  | false | 2000
            redis://app:secret@h                      | h              | 6379 | app    | secret  | 0  | false | 2000
            redis://app:@h                            | h              | 6379 | app    | -       | 0  | false | 2000
            redis://:a:b@h                            | h              | 6379 | -      | a:b     | 0  | false | 2000
            redis://:p%40ss%2Fw%3Ard%25@h             | h              | 6379 | -      | p@ss/w:rd% | 0 | false | 2000
            redis://:a+b%20c@h                        | h              | 6379 | -      | a+b c   | 0  | false | 2000
            redis://:%E5%AF%86%E7%A0%81@h             | h              | 6379 | -      | 密码     | 0  | false | 2000
            redis://us%3Aer:x@h                       | h              | 6379 | us:er  | x       | 0  | false | 2000
            redis://[::1]                             | ::1            | 6379 | -      | -       | 0  | false | 2000
            redis://:x@[2001:db8::7]:6390/1           | 2001:db8::7    | 6390 | -      | x       | 1  | false | 2000
            redis://redis_cache:6379                  | redis_cache    | 6379 | -      | -       | 0  | false | 2000
            redis://h?timeout=500ms                   | h              | 6379 | -      | -       | 0  | false | 500
            rediss://u:p@h:1/15?timeout=3s            | h              | 1    | u      | p       | 15 | true  | 3000
            redis://h?timeout=1m                      | h              | 6379 | -      | -       | 0  | false | 60000
            """, delimiter = '|')
    void parse_good(
            String uri, String host, int port, String user, String password, int database, boolean tls, long millis) {
        assertThat(RedisAddress.parse(uri))
                .isEqualTo(new RedisAddress(host, port, user, password, database, tls, Duration.ofMillis(millis)));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            localhost:6379             | starts with redis:// or rediss://
            localhost                  | starts with redis:// or rediss://
            http://localhost           | this one starts with http://
            redis:localhost            | names no host
            redis:///0                 | names no host
            redis://                   | not a Redis URI
            redis://:6379              | names no host
            redis://h:port             | names no host
            redis://h:0                | port must be 1 to 65535, was 0
            redis://h:65536            | port must be 1 to 65535, was 65536
            redis://h:123456789        | port must be 1 to 65535
            redis://h:1234567890123    | names no host
            redis://h/zero             | database number
            redis://h/-1               | database must not be negative
            redis://h/0/1              | database number
            redis://h?timeout=soon     | not a timeout: soon; write e.g. 500ms or 2s
            redis://h?timeout=         | not a timeout
            redis://h?timeout=0s       | timeout must be 1 ms to 1 h
            redis://h?timeout=-5ms     | timeout must be 1 ms to 1 h
            redis://h?timeout=2h       | timeout must be 1 ms to 1 h
            redis://h?timeout=9223372036854775807s | timeout must be 1 ms to 1 h
            redis://h?tiemout=2s       | the only parameter of a Redis URI here is timeout
            redis://h#1                | percent-encode
            redis://a b                | not a Redis URI
            redis://h:6379:6379        | names no host
            """, delimiter = '|')
    void parse_bad_saysWhatToWrite(String uri, String rule) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisAddress.parse(uri))
                .withMessageContaining(rule);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://user:hunter2@h:port",
                "redis://user:hunter2@h:0",
                "redis://user:hunter2@h/zero",
                "redis://user:hunter2@h?nope=1",
                "redis://user:hunter2@h?timeout=x",
                "redis://user:hunter2 @h",
                "redis://user:hunter2%zz@h",
                "redis://user:pre/hunter2@h",
                "redis://user:12/hunter2@h",
                "redis://user:12?hunter2@h",
                "redis://user:12#hunter2@h",
                "redis://user:12#/hunter2@h",
                "redis://user:[hunter2@h",
                "http://user:hunter2@h",
                "user:hunter2@h",
                ":hunter2@h"
            })
    void parse_bad_neverShowsThePassword(String uri) {
        Throwable failure = catchThrowable(() -> RedisAddress.parse(uri));

        assertThat(failure).isInstanceOf(IllegalArgumentException.class);
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString()).doesNotContain("hunter2");
    }

    @Test
    void toString_hidesLogin() {
        assertThat(RedisAddress.parse("redis://app:hunter2@h:7000/2?timeout=1s"))
                .hasToString("redis://h:7000/2");
        assertThat(RedisAddress.parse("rediss://:hunter2@[::1]")).hasToString("rediss://[::1]:6379");
        assertThat(RedisAddress.of("h", 1).withPassword("hunter2").toString()).doesNotContain("hunter2");
    }

    @Test
    void parts_bad_areRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> RedisAddress.of(null, 6379))
                .withMessage("host must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> RedisAddress.local().withTimeout(null))
                .withMessage("timeout must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> RedisAddress.parse(null))
                .withMessage("uri must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisAddress.of(" ", 6379))
                .withMessage("Redis host is blank");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RedisAddress.local().withTimeout(Duration.ofNanos(1)))
                .withMessageContaining("1 ms to 1 h");
    }

    @Test
    void local_isWhatEverybodyExpects() {
        assertThat(RedisAddress.local())
                .isEqualTo(new RedisAddress("localhost", 6379, null, null, 0, false, Duration.ofMillis(2000)));
    }
}
