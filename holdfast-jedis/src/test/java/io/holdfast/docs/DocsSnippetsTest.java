// SPDX-License-Identifier: Apache-2.0
package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The docs can't drift from the code: each of their snippets stands, white space aside, in a test that is compiled; in a test
 * of another module where this one does not see what it calls.
 */
class DocsSnippetsTest {
    static final Path ROOT = root();
    private static final Pattern FENCED = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code\\n(.*?)\\}</pre>", Pattern.DOTALL);
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");

    @Test
    void migrating_everySnippetOfOurs_isCompiled() throws IOException {
        String text = read("docs/migrating.md");
        List<String> snippets = fenced(text);
        snippets.addAll(cellsOfOurs(text));

        assertThat(snippets).as("found in the tables").hasSizeGreaterThan(60);
        assertCompiled(snippets);
    }

    @Test
    void guide_everySnippet_isCompiled() throws IOException {
        List<String> snippets = fenced(read("docs/guide.md"));

        assertThat(snippets).hasSizeGreaterThan(8);
        assertCompiled(snippets);
    }

    @Test
    void readme_everySnippetAfterTheFirst_isCompiled() throws IOException {
        List<String> snippets = fenced(read("README.md")); // the first one has a test of its own

        assertCompiled(snippets.subList(1, snippets.size()));
    }

    @Test
    void chineseReadme_hasTheSameSnippets() throws IOException {
        assertThat(fenced(read("README.zh-CN.md"))).isEqualTo(fenced(read("README.md")));
    }

    /** Not the words, but what they are about: a sentence that only one of the two has shows here. */
    @Test
    void chineseReadme_namesTheSameCodeAndLeadsToTheSamePages() throws IOException {
        assertThat(named(CODE, "README.zh-CN.md")).containsExactlyInAnyOrderElementsOf(named(CODE, "README.md"));
        List<String> links = named(LINK, "README.md");
        links.replaceAll(link -> link.equals("README.zh-CN.md") ? "README.md" : link); // each leads to the other
        assertThat(named(LINK, "README.zh-CN.md")).isEqualTo(links);
    }

    /** In the text, apart from its snippets. */
    private static List<String> named(Pattern what, String page) throws IOException {
        return what.matcher(read(page).replaceAll("(?s)```.*?```", ""))
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"FencedSql", "FencedStore", "FencedValue"})
    void fencedWrites_exampleOfTheirJavadoc_isCompiled(String type) throws IOException {
        String source = read("holdfast-core/src/main/java/io/holdfast/" + type + ".java");
        List<String> examples = EXAMPLE.matcher(source)
                .results()
                .map(example -> example.group(1).replaceAll("(?m)^ \\* ?", ""))
                .toList();

        assertThat(examples).isNotEmpty();
        assertCompiled(examples);
    }

    @Test
    void links_betweenDocs_leadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path doc : docs()) {
            Matcher link = LINK.matcher(Files.readString(doc));
            while (link.find()) {
                Path target = doc.resolveSibling(link.group(1)).normalize();
                if (!Files.exists(target)) {
                    broken.add(ROOT.relativize(doc) + " -> " + link.group(1));
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/requirements.md", "docs/guarantees.md"})
    void page_everyTestNamed_exists(String page) throws IOException {
        Map<String, String> sources = new HashMap<>();
        try (Stream<Path> files = Files.walk(ROOT, 12)) {
            for (Path file : files.filter(DocsSnippetsTest::isTestSource).toList()) {
                String name = String.valueOf(file.getFileName()).replace(".java", "");
                sources.merge(name, Files.readString(file), String::concat);
            }
        }
        List<String> missing = Pattern.compile("`(\\w+)#(\\w+)`")
                .matcher(read(page))
                .results()
                .filter(test -> !sources.getOrDefault(test.group(1), "").contains("void " + test.group(2) + "("))
                .map(MatchResult::group)
                .toList();
        assertThat(missing).isEmpty();
    }

    /** In the last column of the promise: properties, "in" the specifications that have them. */
    @Test
    void guarantees_everyPropertyOfAModelNamed_isOne() throws IOException {
        Matcher named = Pattern.compile("((?:`\\w+`(?:, )?)+) in ((?:`\\w+`(?: and )?)+)")
                .matcher(read("docs/guarantees.md"));
        int properties = 0;
        while (named.find()) {
            for (Matcher model = CODE.matcher(named.group(2)); model.find(); ) {
                String text = read("holdfast-model/src/test/resources/io/holdfast/model/" + model.group(1) + ".tla");
                for (Matcher property = CODE.matcher(named.group(1)); property.find(); properties++) {
                    assertThat(text).containsPattern("(?m)^" + property.group(1) + " ==");
                }
            }
        }
        assertThat(properties).isGreaterThanOrEqualTo(15);
    }

    private static boolean isTestSource(Path file) {
        String path = file.toString();
        return path.endsWith(".java") && (path.contains("/src/test/") || path.contains("/holdfast-testkit/src/"));
    }

    private static void assertCompiled(List<String> snippets) throws IOException {
        String sources = normalised(sources());
        List<String> missing =
                snippets.stream().filter(s -> !sources.contains(normalised(s))).toList();
        assertThat(missing).as("in the docs and in no compiled test").isEmpty();
    }

    /** Code of the column headed Holdfast; "not yet" and the like are plain text there. */
    private static List<String> cellsOfOurs(String text) {
        List<String> found = new ArrayList<>();
        int ours = -1;
        for (String line : text.split("\n", -1)) {
            if (!line.startsWith("|")) {
                ours = -1;
                continue;
            }
            List<String> cells =
                    Stream.of(line.split("\\|", -1)).map(String::strip).toList();
            if (ours < 0) {
                ours = cells.indexOf("Holdfast");
            } else if (ours > 0) {
                Matcher code = CODE.matcher(cells.get(ours));
                while (code.find()) {
                    found.add(code.group(1));
                }
            }
        }
        return found;
    }

    private static List<String> fenced(String text) {
        return FENCED.matcher(text).results().map(match -> match.group(1)).collect(Collectors.toList());
    }

    /** One space between words, none beside anything else: line breaks and indents do not count. */
    private static String normalised(String code) {
        return code.strip().replaceAll("\\s+", " ").replaceAll(" ?([^\\w ]) ?", "$1");
    }

    private static String sources() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String folder : List.of(
                "holdfast-jedis/src/test/java/io/holdfast/docs",
                "holdfast-lettuce/src/test/java/io/holdfast/docs",
                "holdfast-processor/src/test/java/io/holdfast/docs",
                "holdfast-spring-boot-starter/src/test/java/io/holdfast/docs",
                "holdfast-micrometer/src/test/java/io/holdfast/micrometer")) {
            try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
                for (Path file : files.sorted().toList()) {
                    all.append(Files.readString(file)).append('\n');
                }
            }
        }
        return all.toString();
    }

    private static List<Path> docs() throws IOException {
        List<Path> found = new ArrayList<>(List.of(ROOT.resolve("README.md"), ROOT.resolve("README.zh-CN.md")));
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(found::add);
        }
        return found;
    }

    private static String read(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/migrating.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
