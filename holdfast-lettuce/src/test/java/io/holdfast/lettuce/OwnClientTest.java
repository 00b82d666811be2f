// SPDX-License-Identifier: Apache-2.0
package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.RedisAddress;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisCredentialsProvider.ImmediateRedisCredentialsProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnClientTest {

    /**
     * Else Lettuce greets the server from another thread, and its connection is handed out before it can take commands: on a busy
     * machine about one of 300 said "Currently not connected" in place of the server's reply.
     */
    @ParameterizedTest
    @CsvSource({"redis://:s3cret@host, , s3cret", "redis://me:s3cret@host, me, s3cret", "redis://host, , "})
    void credentials_areThereAtOnce(String uri, String user, String password) {
        RedisCredentialsProvider provider =
                OwnClient.uri(RedisAddress.parse(uri)).getCredentialsProvider();

        assertThat(provider).isInstanceOf(ImmediateRedisCredentialsProvider.class);
        RedisCredentials credentials = ((ImmediateRedisCredentialsProvider) provider).resolveCredentialsNow();
        assertThat(credentials.getUsername()).isEqualTo(user);
        assertThat(credentials.getPassword()).isEqualTo(password == null ? null : password.toCharArray());
    }
}
