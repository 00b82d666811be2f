// SPDX-License-Identifier: Apache-2.0
package io.holdfast.cli.orders;

import io.holdfast.cli.Screen;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Customers who press every button several times, on all instances at once. */
final class Customers {
    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
    private static final int AT_ONCE = 4;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final List<URI> instances;
    private final int clicks;

    Customers(List<Instance> instances, int clicks) {
        this.instances = instances.stream().map(Instance::awaitAddress).toList();
        this.clicks = clicks;
    }

    Tally come(int seconds, Screen screen) {
        Tally tally = new Tally();
        long startedAt = System.nanoTime();
        long user = 0;
        long told = startedAt;
        while (System.nanoTime() - startedAt < TimeUnit.SECONDS.toNanos(seconds)) {
            List<CompletableFuture<Void>> visits = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                visits.add(visit(++user, tally));
            }
            visits.forEach(CompletableFuture::join);
            if (System.nanoTime() - told > TimeUnit.SECONDS.toNanos(3)) {
                told = System.nanoTime();
                screen.say(tally.progress());
            }
        }
        return tally;
    }

    private CompletableFuture<Void> visit(long user, Tally tally) {
        String order = "{\"userId\":" + user + ",\"items\":[{\"sku\":\"sku001\",\"quantity\":1}],\"amountCents\":9900}";
        return press("/orders", order).thenCompose(created -> {
            tally.created(created.stream().map(HttpResponse::statusCode).toList());
            String id = created.stream()
                    .filter(answer -> answer.statusCode() == 201)
                    .map(answer -> ID.matcher(answer.body()))
                    .filter(Matcher::find)
                    .map(found -> found.group(1))
                    .findFirst()
                    .orElse("0");
            return press("/orders/" + id + "/pay", "")
                    .thenAccept(paid -> tally.paid(
                            paid.stream().map(HttpResponse::statusCode).toList()));
        });
    }

    /** The same request from every click, spread over the instances; all of them are sent before any is answered. */
    private CompletableFuture<List<HttpResponse<String>>> press(String path, String body) {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int click = 0; click < clicks; click++) {
            URI instance = instances.get(click % instances.size());
            answers.add(http.sendAsync(
                    HttpRequest.newBuilder(instance.resolve(path))
                            .header("Content-Type", "application/json")
                            .timeout(Duration.ofSeconds(30))
                            .POST(BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString()));
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
    }
}
