// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/** The results as bar charts in SVG files. */
final class Charts {
    private static final List<Scenario> OWN = List.of(Scenario.OWN_1, Scenario.OWN_32);
    private static final List<Scenario> ONE =
            List.of(Scenario.ONE_16, Scenario.TWO_BY_ONE, Scenario.FOUR_BY_FOUR, Scenario.EIGHT_BY_EIGHT);

    private final Results results;
    private final Path folder;
    private final List<String> markdown = new ArrayList<>();

    private Charts(Results results, Path folder) {
        this.results = results;
        this.folder = folder;
    }

    /** Draws what was measured, and gives the Markdown that shows it. */
    static String draw(Results results, Path folder) throws IOException {
        System.setProperty("java.awt.headless", "true");
        Files.createDirectories(folder);
        Charts charts = new Charts(results, folder);
        charts.rates("own-locks", "Own locks: acquisitions per second", OWN, false);
        charts.rates("one-lock", "One lock: acquisitions per second, logarithmic", ONE, true);
        charts.waits();
        return String.join("\n", charts.markdown);
    }

    private void rates(String name, String title, List<Scenario> scenarios, boolean logarithmic) throws IOException {
        CategoryChart chart = chart(title, "per second", logarithmic ? 1 : 0);
        fill(
                chart,
                scenarios,
                (scenario, entry) ->
                        results.spread(scenario, entry, Turn::perSecond).median());
        save(chart, name);
    }

    private void waits() throws IOException {
        CategoryChart chart = chart("One lock: 99 % wait less than this, logarithmic", "milliseconds", 0.001);
        fill(chart, ONE, (scenario, entry) -> results.waits(scenario, entry).getValueAtPercentile(99) / 1e6);
        save(chart, "one-lock-p99");
    }

    /** Logarithmic unless it starts at 0. */
    private static CategoryChart chart(String title, String unit, double start) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(900)
                .height(420)
                .title(title)
                .yAxisTitle(unit)
                .build();
        Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
        CategoryStyler style = chart.getStyler();
        style.setYAxisLogarithmic(start > 0);
        style.setYAxisMin(start);
        style.setAxisTickLabelsFont(font);
        style.setPlotBorderVisible(false);
        style.setLegendPosition(LegendPosition.OutsideE);
        style.setLegendFont(font);
        style.setChartTitleFont(font.deriveFont(Font.BOLD, 16));
        style.setChartBackgroundColor(Color.WHITE);
        return chart;
    }

    /** A group of bars per scenario, a colour per contender. A lock that did not exclude has no bar. */
    private void fill(CategoryChart chart, List<Scenario> scenarios, ToDoubleBiFunction<Scenario, Entry> figure) {
        List<Scenario> measured = scenarios.stream()
                .filter(scenario -> !results.turns(scenario).isEmpty())
                .toList();
        List<String> groups = measured.stream().map(Scenario::toString).toList();
        Stream.of(Entry.values())
                .filter(entry -> measured.stream()
                        .anyMatch(scenario ->
                                results.turns(scenario).containsKey(entry) && results.overlaps(scenario, entry) == 0))
                .forEach(entry -> chart.addSeries(
                        entry.toString(),
                        groups,
                        measured.stream()
                                .map(scenario -> figure.applyAsDouble(scenario, entry))
                                .toList()));
    }

    private void save(CategoryChart chart, String name) throws IOException {
        if (chart.getSeriesMap().isEmpty()) {
            return;
        }
        String file = folder.resolve(name + ".svg").toString();
        VectorGraphicsEncoder.saveVectorGraphic(chart, file, VectorGraphicsFormat.SVG);
        markdown.add("![" + chart.getTitle() + "](" + folder.getFileName() + "/" + name + ".svg)\n");
    }
}
