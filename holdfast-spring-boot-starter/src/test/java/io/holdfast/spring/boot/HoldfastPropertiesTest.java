// SPDX-License-Identifier: Apache-2.0
package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.FailurePolicy;
import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

class HoldfastPropertiesTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DataRedisAutoConfiguration.class, HoldfastAutoConfiguration.class));

    @Test
    void defaults_unset_areTheCoresOwn() {
        LockOptions options = options(Map.of());
        LockOptions own = LockOptions.defaults();
        assertThat(options).usingRecursiveComparison().isEqualTo(own);
    }

    @Test
    void defaults_set_allArrive() {
        LockOptions options = options(Map.ofEntries(
                Map.entry("ttl", "20s"),
                Map.entry("tolerance", "1s"),
                Map.entry("max-ttl", "40s"),
                Map.entry("wait", "5s"),
                Map.entry("max-attempts", "7"),
                Map.entry("retry-interval", "70ms"),
                Map.entry("jitter", "0.5"),
                Map.entry("renew", "true"),
                Map.entry("renew-every", "6s"),
                Map.entry("max-hold", "2h"),
                Map.entry("limit", "3h"),
                Map.entry("fencing", "false"),
                Map.entry("on-unavailable", "local"),
                Map.entry("interrupt-on-loss", "true"),
                Map.entry("retain", "200ms"),
                Map.entry("hand-over-turns", "9"),
                Map.entry("hand-over-time", "3ms")));
        LockOptions expected = LockOptions.builder()
                .ttl(Duration.ofSeconds(20))
                .tolerance(Duration.ofSeconds(1))
                .maxTtl(Duration.ofSeconds(40))
                .wait(Duration.ofSeconds(5))
                .maxAttempts(7)
                .retryInterval(Duration.ofMillis(70))
                .jitter(0.5)
                .renew(true)
                .renewEvery(Duration.ofSeconds(6))
                .maxHold(Duration.ofHours(2))
                .limit(Duration.ofHours(3))
                .fencing(false)
                .onUnavailable(FailurePolicy.LOCAL)
                .interruptOnLoss(true)
                .retain(Duration.ofMillis(200))
                .handOverTurns(9)
                .handOverTime(Duration.ofMillis(3))
                .build();
        assertThat(options).usingRecursiveComparison().isEqualTo(expected);
        assertThat(options(Map.of("fair", "true")).fair()).isTrue();
        assertThat(options(Map.of("renew-ratio", "0.5")).renewInterval()).isEqualTo(Duration.ofSeconds(15));
    }

    @ParameterizedTest
    @CsvSource({
        "holdfast.defaults.ttl, 0s, ttl must be 1 ms to 24 h",
        "holdfast.defaults.jitter, 2, jitter must be 0.0 to 1.0",
        "holdfast.defaults.hand-over-turns, 0, handOverTurns must be 1",
        "holdfast.defaults.max-attempts, 0, maxAttempts must be 1",
        "holdfast.close-wait, -1s, closeWait must not be negative",
        "holdfast.note, ' ', note must not be blank",
        "holdfast.uri, http://secret@host, 'starts with redis://'",
    })
    void value_refused_failsTheStartAndNamesTheProperty(String name, String value, String why) {
        application.withPropertyValues(name + "=" + value).run(context -> {
            FailureAnalysis analysis = new HoldfastFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains("property " + name).contains(why);
            assertThat(analysis.getAction()).isEqualTo("Change or remove " + name + ".");
        });
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void application_thatCannotStart_saysWhyAndWhatToDo(CapturedOutput output) {
        SpringApplication start = new SpringApplication(HoldfastAutoConfiguration.class);
        start.setWebApplicationType(WebApplicationType.NONE);
        assertThatThrownBy(start::run).isNotNull();
        assertThat(output)
                .contains("APPLICATION FAILED TO START", "holdfast.uri is not set", "spring-boot-starter-data-redis");
    }

    @Test
    void values_thatContradictEachOther_failTheStart() {
        application
                .withPropertyValues("holdfast.defaults.renew-every=40s")
                .run(context -> assertFailure(context, "renewEvery must be shorter than the ttl"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"holdfast.defualts.ttl", "holdfast.defaults.tll", "holdfast.exact-key"})
    void name_misspelt_failsTheStartAndIsNamed(String name) {
        application
                .withPropertyValues(name + "=1s")
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining(name));
    }

    @Test
    void duration_thatIsNone_failsTheStartAndIsNamed() {
        application
                .withPropertyValues("holdfast.defaults.ttl=soon")
                .run(context -> assertThat(
                                Stream.iterate(context.getStartupFailure(), e -> e != null, Throwable::getCause))
                        .anyMatch(e -> e.getMessage().contains("'holdfast.defaults.ttl'")));
    }

    @Test
    void uri_broken_neverRepeatsThePassword() {
        application
                .withPropertyValues("holdfast.uri=redis://:pa ss#word@host")
                .run(context -> assertThat(
                                Stream.iterate(context.getStartupFailure(), e -> e != null, Throwable::getCause))
                        .isNotEmpty()
                        .noneMatch(e -> e.toString().contains("ss#word")));
    }

    @Test
    void toString_hasNoPassword() {
        HoldfastProperties properties = bind(Map.of("uri", "redis://:secret@host", "note", "me"));
        assertThat(properties.uri()).contains("secret");
        assertThat(properties.toString()).contains("uri=***", "note=me").doesNotContain("secret");
        assertThat(bind(Map.of()).toString()).contains("uri=none");
    }

    @ParameterizedTest
    @CsvSource({
        "spring.data.redis.sentinel.nodes=a:1, watched by Sentinel",
        "spring.data.redis.cluster.nodes=a:1, a Cluster",
        "spring.data.redis.masterreplica.nodes=a:1, a static master/replica set-up",
    })
    void topology_notSupportedYet_isRefused(String nodes, String named) {
        application
                .withPropertyValues(nodes, nodes.contains("sentinel") ? "spring.data.redis.sentinel.master=m" : "x=y")
                .run(context -> assertFailure(context, "The application's Redis is " + named));
    }

    @Test
    void topology_notSupportedYet_ofJedis_isRefused() {
        RedisSentinelConfiguration sentinel = new RedisSentinelConfiguration("m", Set.of("a:1"));
        application
                .withBean(JedisConnectionFactory.class, () -> unconnected(new JedisConnectionFactory(sentinel)))
                .run(context -> assertFailure(context, "watched by Sentinel"));
        RedisClusterConfiguration cluster = new RedisClusterConfiguration(Set.of("a:1"));
        application
                .withBean(JedisConnectionFactory.class, () -> unconnected(new JedisConnectionFactory(cluster)))
                .run(context -> assertFailure(context, "a Cluster"));
    }

    /** One that does not look for its servers as soon as it is made. */
    private static JedisConnectionFactory unconnected(JedisConnectionFactory factory) {
        factory.setEarlyStartup(false);
        return factory;
    }

    private static void assertFailure(AssertableApplicationContext context, String why) {
        assertThat(context.getStartupFailure())
                .rootCause()
                .isInstanceOf(HoldfastConfigurationException.class)
                .hasMessageContaining(why);
    }

    private static LockOptions options(Map<String, String> set) {
        Map<String, String> prefixed = new HashMap<>();
        set.forEach((name, value) -> prefixed.put("defaults." + name, value));
        return PropertiesMapper.options(bind(prefixed).defaults());
    }

    private static HoldfastProperties bind(Map<String, String> set) {
        Map<String, String> prefixed = new HashMap<>();
        set.forEach((name, value) -> prefixed.put("holdfast." + name, value));
        return new Binder(new MapConfigurationPropertySource(prefixed))
                .bindOrCreate("holdfast", HoldfastProperties.class);
    }
}
