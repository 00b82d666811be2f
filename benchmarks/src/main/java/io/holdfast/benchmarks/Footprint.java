// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What an application gets on its class path for one module: the module and all it needs at run time, by Maven's own
 * dependency graph of this build.
 *
 * @param jars each with its size, in the order the graph names them
 */
record Footprint(List<Jar> jars) {
    /** An edge of {@code dependency:tree -DoutputType=dot -Dverbose}; an artifact met before stands in brackets. */
    private static final Pattern EDGE = Pattern.compile("\"([^\"]+)\" -> \"\\(?([^\"]+)\"");

    private static final Pattern ARTIFACT = Pattern.compile("[^:]+:([^:]+):jar:([^: ]+).*");

    /**
     * One entry of a class path.
     *
     * @param name artifact and version, e.g. {@code jedis-8.0.2}
     * @param bytes its size; of a folder of classes, which stands in for a jar not built yet, the sum of its files
     */
    record Jar(String name, long bytes) {}

    /** Of an application that names these artifacts. */
    static Footprint of(List<String> artifacts) {
        String classPath = System.getProperty("java.class.path");
        List<String[]> edges = edges();
        Set<String> needed = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>();
        artifacts.forEach(artifact -> edges.stream()
                .map(edge -> edge[1])
                .filter(name -> name.matches(Pattern.quote(artifact) + "-[0-9].*"))
                .limit(1)
                .forEach(open::add));
        while (!open.isEmpty()) {
            String next = open.remove();
            if (needed.add(next)) {
                edges.stream().filter(edge -> edge[0].equals(next)).forEach(edge -> open.add(edge[1]));
            }
        }
        return new Footprint(needed.stream()
                .map(name -> new Jar(name, size(locate(name, classPath))))
                .toList());
    }

    long bytes() {
        return jars.stream().mapToLong(Jar::bytes).sum();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        jars.forEach(jar -> text.append(String.format(Locale.ROOT, "%,11d  %s%n", jar.bytes(), jar.name())));
        return text + String.format(Locale.ROOT, "%,11d  %d jars%n", bytes(), jars.size());
    }

    private static List<String[]> edges() {
        List<String[]> edges = new ArrayList<>();
        try (InputStream graph = Footprint.class.getResourceAsStream("dependencies.dot")) {
            if (graph == null) {
                throw new IllegalStateException("no dependency graph; run Maven first");
            }
            Matcher edge = EDGE.matcher(new String(graph.readAllBytes(), StandardCharsets.UTF_8));
            while (edge.find()) {
                edges.add(new String[] {jarName(edge.group(1)), jarName(edge.group(2))});
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return edges;
    }

    private static String jarName(String node) {
        Matcher artifact = ARTIFACT.matcher(node);
        if (!artifact.matches()) {
            throw new IllegalStateException("not an artifact: " + node);
        }
        return artifact.group(1) + "-" + artifact.group(2);
    }

    /** A module of this build has its classes in {@code <module>/target/classes} until it is packaged. */
    private static Path locate(String name, String classPath) {
        Path jar = Path.of(name + ".jar");
        Path classes = Path.of(name.replaceFirst("-[0-9].*", ""), "target", "classes");
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (path.endsWith(jar) || path.endsWith(classes)) {
                return path;
            }
        }
        throw new IllegalStateException(name + " is not on the class path");
    }

    private static long size(Path entry) {
        try (Stream<Path> files = Files.walk(entry)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
