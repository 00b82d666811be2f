// SPDX-License-Identifier: Apache-2.0
package io.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Lease;
import io.holdfast.LockManager;
import io.holdfast.Locks;
import io.holdfast.testkit.InMemoryLocks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** docs/annotations.md can't drift from the code: its snippets stand, white space aside, in this folder, and run. */
class AnnotationsSnippetsTest {
    private static final Path ROOT = root();

    private final InMemoryLocks test = InMemoryLocks.create();
    private final LockManager locks = test.locks();
    private final LockManager rival = test.anotherProcess();

    @AfterEach
    void nothingIsLeft() {
        await().until(() -> test.locks().heldLeases() == 0);
        test.close();
    }

    @Test
    void everySnippet_isCompiled() throws IOException {
        String sources = normalised(sources());
        List<String> snippets = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(ROOT.resolve("docs/annotations.md")))
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(snippets).hasSizeGreaterThan(8);
        assertThat(snippets.stream().filter(snippet -> !sources.contains(normalised(snippet))))
                .as("in the docs and in no compiled test")
                .isEmpty();
    }

    @Test
    void processor() {
        Orders orders = new OrdersLocked(locks);
        String receipt = orders.pay("42", 1_999);

        assertThat(receipt).isEqualTo("42: 1999");
        orders.ship(new Orders.Order("7", new Orders.Customer("eu")));
        orders.move("a", "b");
        orders.book("1", null);
        orders.audit("1");
        orders.checkOut("c", "request-1");
        assertThat(orders.reportOf("monday")).isEqualTo("report of monday");
        assertThat(orders.done).hasSize(5).contains("shipped 7", "a to b", "audited 1", "emptied c");
        assertThat(orders.export().toCompletableFuture().join()).isEqualTo("exported");
    }

    @Test
    void busy() {
        Orders orders = new OrdersLocked(locks);
        try (Lease other = rival.lock("report:monday").acquire();
                Lease another = rival.lock("stock:sku1").acquire()) {
            assertThat(orders.reportUnlessBusy("monday")).isEmpty();
            assertThat(orders.reserve("sku1")).isEqualTo("queued sku1");
        }
        assertThat(orders.reportUnlessBusy("monday")).contains("report of monday");
        assertThat(orders.reserve("sku1")).isEqualTo("reserved sku1");
    }

    @Test
    void interfaces() {
        List<String> cancelled = new ArrayList<>();
        OrderApi service = new OrderApi() {
            @Override
            public void cancel(String orderId) {
                cancelled.add(Locks.current().key());
            }

            @Override
            public String state(String orderId) {
                return "new";
            }
        };
        OrderApi generated = new OrderApiLocked(locks, service);
        OrderApi proxy = Locks.proxy(OrderApi.class, service, locks);

        generated.cancel("1");
        proxy.cancel("2");
        assertThat(cancelled).containsExactly("order:1", "order:2");
        assertThat(generated.state("1")).isEqualTo(proxy.state("1"));
    }

    /** One space between words, none beside anything else: line breaks and indents do not count. */
    private static String normalised(String code) {
        return code.strip().replaceAll("\\s+", " ").replaceAll(" ?([^\\w ]) ?", "$1");
    }

    private static String sources() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(ROOT.resolve("holdfast-processor/src/test/java/io/holdfast/docs"))) {
            for (Path file : files.sorted().toList()) {
                all.append(Files.readString(file)).append('\n');
            }
        }
        return all.toString();
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/annotations.md"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
