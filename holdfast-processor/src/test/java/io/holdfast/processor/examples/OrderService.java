// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor.examples;

import io.holdfast.BusyPolicy;
import io.holdfast.Lease;
import io.holdfast.Lock;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.Locks;
import io.holdfast.LossPolicy;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What its methods do is up to the test. */
public class OrderService {
    private final Runnable work;

    public OrderService(Runnable work) {
        this.work = work;
    }

    @Lock(key = "order:{orderId}", ttlMs = 15_000)
    public String pay(String orderId, int amount) throws IOException {
        work.run();
        return "paid " + amount + " for " + orderId;
    }

    @Lock("order:{order.id}:{order.customer.name}")
    void ship(Order order) {
        work.run();
    }

    @Lock(key = "stock:{to}")
    @Lock(key = "stock:{from}", waitMs = 50, retryMs = 10)
    protected String move(String from, String to, @Nullable Lease first, @Nullable Lease second) {
        work.run();
        return first.key() + " " + second.key() + " " + Locks.current().key();
    }

    @Lock(value = "skip", onBusy = BusyPolicy.SKIP)
    public Optional<String> skipped() {
        return Optional.of("ran");
    }

    @Lock(value = "skip", onBusy = BusyPolicy.SKIP)
    public boolean skippedFlag() {
        return true;
    }

    @Lock(value = "order:{orderId}", onBusy = BusyPolicy.FALLBACK, fallback = "reserveLater")
    public String reserve(String orderId) {
        work.run();
        return "reserved " + orderId;
    }

    String reserveLater(String orderId, LockNotAcquiredException busy) {
        return "later " + orderId + ": " + busy.key();
    }

    @Lock(value = "order:{orderId}", onBusy = BusyPolicy.FALLBACK, fallback = "touchLater")
    public void touch(String orderId) {
        work.run();
    }

    void touchLater(String orderId) {}

    @Lock(value = "report", onLost = LossPolicy.WARN)
    public int count(int... numbers) {
        work.run();
        return numbers.length;
    }

    @Lock("report:{day}")
    public CompletionStage<String> report(int day, Supplier<CompletableFuture<String>> result) {
        return result.get();
    }

    @Lock("report:{day}")
    public CompletableFuture<String> report(long day, Supplier<CompletableFuture<String>> result) {
        return result.get();
    }

    @Lock(value = "owned:{orderId}", owner = "{request}")
    public String outer(String orderId, String request) {
        return inner(orderId, request);
    }

    @Lock(value = "owned:{orderId}", owner = "{request}")
    public String inner(String orderId, String request) {
        return Locks.current("owned:" + orderId).key();
    }

    public String unlocked() {
        return "free";
    }

    public record Order(long id, Customer customer) {}

    public static class Customer {
        private final String name;

        public Customer(String name) {
            this.name = name;
        }

        public String getName() {
            return name;
        }
    }
}
