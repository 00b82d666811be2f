// SPDX-License-Identifier: Apache-2.0
package io.holdfast.examples.orders;

import io.holdfast.embedded.EmbeddedRedis;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The service in this JVM, and calls to it over real HTTP. */
final class Running implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");

    private final ConfigurableApplicationContext context;
    private final URI root;

    private Running(ConfigurableApplicationContext context) {
        this.context = context;
        this.root = URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port"));
    }

    static Running start(EmbeddedRedis redis, Path database, String... more) {
        return start(new SpringApplication(OrderServiceApplication.class), arguments(redis, database, more));
    }

    static Running start(SpringApplication application, String... arguments) {
        return new Running(application.run(arguments));
    }

    static String[] arguments(EmbeddedRedis redis, Path database, String... more) {
        List<String> all = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.data.redis.port=" + redis.port(),
                "--orders.database=" + database.resolve("orders"),
                "--spring.main.banner-mode=off"));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    HttpResponse<String> send(String method, String path, String body, String language) {
        return sendAsync(root, method, path, body, language).join();
    }

    CompletableFuture<HttpResponse<String>> create(long user) {
        return sendAsync("POST", "/orders", order(user));
    }

    HttpResponse<String> pay(long order, String language) {
        return send("POST", "/orders/" + order + "/pay", "", language);
    }

    CompletableFuture<HttpResponse<String>> payAsync(long order) {
        return sendAsync("POST", "/orders/" + order + "/pay", "");
    }

    CompletableFuture<HttpResponse<String>> sendAsync(String method, String path, String body) {
        return sendAsync(root, method, path, body, "en");
    }

    String get(String path) {
        return send("GET", path, "", "en").body();
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    static String order(long user) {
        return "{\"userId\":" + user + ",\"items\":[{\"sku\":\"sku001\",\"quantity\":2}],\"amountCents\":9900}";
    }

    static long id(HttpResponse<String> created) {
        Matcher found = ID.matcher(created.body());
        if (!found.find()) {
            throw new AssertionError(created.statusCode() + " " + created.body());
        }
        return Long.parseLong(found.group(1));
    }

    static CompletableFuture<HttpResponse<String>> sendAsync(
            URI root, String method, String path, String body, String language) {
        HttpRequest request = HttpRequest.newBuilder(root.resolve(path))
                .header("Content-Type", "application/json")
                .header("Accept-Language", language)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HTTP.sendAsync(request, BodyHandlers.ofString());
    }

    @Override
    public void close() {
        context.close();
    }
}
