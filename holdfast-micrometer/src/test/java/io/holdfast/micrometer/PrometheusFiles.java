// SPDX-License-Identifier: Apache-2.0
package io.holdfast.micrometer;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The files for Prometheus and Grafana as they are in the jar, and what they ask for. */
final class PrometheusFiles {
    static final String RULES = "prometheus-rules.yml";
    static final String RULES_TEST = "prometheus-rules-test.yml";
    static final String DASHBOARD = "grafana-dashboard.json";

    private static final Pattern METRIC = Pattern.compile("\\b(?:holdfast|lock)_\\w+");
    private static final Pattern RECORDED = Pattern.compile("record: (\\w+)");

    private PrometheusFiles() {}

    static String read(String name) {
        try (InputStream file = LockMetrics.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The rules without their comments. */
    static String rules() {
        return read(RULES).lines().filter(line -> !line.strip().startsWith("#")).collect(Collectors.joining("\n"));
    }

    static JsonObject dashboard() {
        return JsonParser.parseString(read(DASHBOARD)).getAsJsonObject();
    }

    /** What the panels ask for. */
    static List<String> panelQueries() {
        List<String> queries = new ArrayList<>();
        for (JsonElement panel : dashboard().getAsJsonArray("panels")) {
            for (JsonElement target : panel.getAsJsonObject().getAsJsonArray("targets")) {
                queries.add(target.getAsJsonObject().get("expr").getAsString());
            }
        }
        return queries;
    }

    /** The same, and what the drop-down lists ask for. */
    static List<String> dashboardQueries() {
        List<String> queries = new ArrayList<>(panelQueries());
        for (JsonElement variable : dashboard().getAsJsonObject("templating").getAsJsonArray("list")) {
            JsonElement definition = variable.getAsJsonObject().get("definition");
            if (definition != null) {
                queries.add(definition.getAsString());
            }
        }
        return queries;
    }

    static Set<String> recorded() {
        return found(RECORDED, rules(), 1);
    }

    static Set<String> metrics(String queries) {
        return found(METRIC, queries, 0);
    }

    static Set<String> found(Pattern pattern, String text, int group) {
        return pattern.matcher(text)
                .results()
                .map(match -> match.group(group))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
