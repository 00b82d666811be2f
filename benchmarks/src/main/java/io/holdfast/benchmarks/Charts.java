// SPDX-License-Identifier: Apache-2.0
package io.holdfast.benchmarks;

import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.Color;
import java.awt.Font;
import java.awt.Rectangle;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.StandardChartTheme;
import org.jfree.chart.axis.LogarithmicAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.data.category.DefaultCategoryDataset;

/** The results as bar charts in SVG files. */
final class Charts {
    private static final List<Scenario> OWN = List.of(Scenario.OWN_1, Scenario.OWN_32);
    private static final List<Scenario> ONE =
            List.of(Scenario.ONE_16, Scenario.TWO_BY_ONE, Scenario.FOUR_BY_FOUR, Scenario.EIGHT_BY_EIGHT);
    private static final Rectangle SIZE = new Rectangle(900, 420);

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
        ToDoubleBiFunction<Scenario, Entry> rate = (scenario, entry) ->
                results.spread(scenario, entry, Turn::perSecond).median();
        ToDoubleBiFunction<Scenario, Entry> p99 =
                (scenario, entry) -> results.waits(scenario, entry).getValueAtPercentile(99) / 1e6;
        charts.save("own-locks", charts.chart("Own locks: acquisitions per second", OWN, rate));
        charts.save("one-lock", charts.chart("One lock: acquisitions per second", ONE, rate));
        charts.save("one-lock-p99", charts.chart("One lock: p99 of the wait in ms", ONE, p99));
        return String.join("\n", charts.markdown);
    }

    /** A group of bars per scenario, a colour per contender. A lock that did not exclude has no bar. */
    private JFreeChart chart(String title, List<Scenario> scenarios, ToDoubleBiFunction<Scenario, Entry> figure) {
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        for (Entry entry : Entry.values()) {
            scenarios.stream()
                    .filter(scenario -> results.turns(scenario).containsKey(entry))
                    .filter(scenario -> results.overlaps(scenario, entry) == 0)
                    .forEach(scenario -> data.addValue(figure.applyAsDouble(scenario, entry), entry, scenario));
        }
        JFreeChart chart = ChartFactory.createBarChart(title, null, null, data);
        if (scenarios.equals(ONE)) {
            scaleByPowersOfTen(chart.getCategoryPlot());
        }
        StandardChartTheme theme = new StandardChartTheme("plain");
        theme.setExtraLargeFont(new Font(Font.SANS_SERIF, Font.BOLD, 16));
        theme.setRegularFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        theme.setPlotBackgroundPaint(Color.WHITE);
        theme.setRangeGridlinePaint(Color.LIGHT_GRAY);
        theme.setBarPainter(new StandardBarPainter());
        theme.setShadowVisible(false);
        theme.apply(chart);
        chart.getLegend().setPosition(RectangleEdge.RIGHT);
        BarRenderer bars = (BarRenderer) chart.getCategoryPlot().getRenderer();
        bars.setItemMargin(0);
        Stream.of(Entry.values())
                .filter(entry -> data.getRowIndex(entry) >= 0)
                .forEach(entry -> bars.setSeriesPaint(data.getRowIndex(entry), colour(entry)));
        return chart;
    }

    /** Under contention the slowest and the fastest are a thousandfold apart. */
    private static void scaleByPowersOfTen(CategoryPlot plot) {
        LogarithmicAxis axis = new LogarithmicAxis("logarithmic");
        axis.setStrictValuesFlag(false);
        axis.setAutoRangeNextLogFlag(true);
        plot.setRangeAxis(axis);
    }

    /** A colour per library, lighter for its second kind of lock. */
    private static Color colour(Entry entry) {
        return switch (entry) {
            case HOLDFAST_JEDIS -> new Color(0x0b3c8c);
            case HOLDFAST_JEDIS_UNFENCED, HOLDFAST_JEDIS_FAIR, HOLDFAST_JEDIS_RETAINED -> new Color(0x4a7fd4);
            case HOLDFAST_LETTUCE -> new Color(0x0a7d8c);
            case HOLDFAST_LETTUCE_UNFENCED, HOLDFAST_LETTUCE_FAIR, HOLDFAST_LETTUCE_RETAINED -> new Color(0x5fc3cf);
            case REDISSON -> new Color(0xb3261e);
            case REDISSON_FAIR -> new Color(0xe58a84);
            case SPRING_SPIN -> new Color(0x4f8a10);
            case SPRING_PUBSUB -> new Color(0xa9d18e);
            case HAND_JEDIS -> new Color(0x595959);
            case HAND_LETTUCE, UNLOCKED -> new Color(0xb0b0b0);
        };
    }

    private void save(String name, JFreeChart chart) throws IOException {
        if (chart.getCategoryPlot().getDataset().getRowCount() == 0) {
            return;
        }
        VectorGraphics2D drawing = new VectorGraphics2D();
        chart.draw(drawing, SIZE);
        try (OutputStream file = Files.newOutputStream(folder.resolve(name + ".svg"))) {
            Processors.get("svg")
                    .getDocument(drawing.getCommands(), new PageSize(SIZE.width, SIZE.height))
                    .writeTo(file);
        }
        markdown.add("![" + chart.getTitle().getText() + "](" + folder.getFileName() + "/" + name + ".svg)\n");
    }
}
