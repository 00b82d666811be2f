// SPDX-License-Identifier: Apache-2.0
package io.holdfast.docs;

import io.holdfast.BusyPolicy;
import io.holdfast.Lease;
import io.holdfast.Lock;
import io.holdfast.LockNotAcquiredException;
import io.holdfast.Locks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

public class Orders {
    final List<String> done = new ArrayList<>();

    @Lock(key = "order:{orderId}", ttlMs = 15_000)
    public String pay(String orderId, int cents) {
        return charge(orderId, cents);
    }

    record Order(String id, Customer customer) {}

    record Customer(String region) {}

    @Lock("order:{order.customer.region}:{order.id}")
    public void ship(Order order) {
        done.add("shipped " + order.id());
    }

    @Lock(key = "report:{day}", waitMs = 2_000)
    public String reportOf(String day) {
        return "report of " + day;
    }

    @Lock(key = "report:{day}", onBusy = BusyPolicy.SKIP)
    public Optional<String> reportUnlessBusy(String day) {
        return Optional.of("report of " + day);
    }

    @Lock(key = "stock:{sku}", waitMs = 500, onBusy = BusyPolicy.FALLBACK, fallback = "reserveLater")
    public String reserve(String sku) {
        return "reserved " + sku;
    }

    String reserveLater(String sku, LockNotAcquiredException busy) {
        return "queued " + sku;
    }

    @Lock("stock:{from}")
    @Lock("stock:{to}")
    public void move(String from, String to) {
        done.add(from + " to " + to);
    }

    @Lock("account:{id}")
    public void book(String id, @Nullable Lease lease) {
        done.add("booked " + id + " with token " + lease.fencingToken());
    }

    @Lock(key = "account:{id}", renew = true, maxHoldMs = 3_600_000)
    public void audit(String id) {
        Locks.current().ensureHeld();
        done.add("audited " + id);
    }

    @Lock(key = "cart:{cart}", owner = "{requestId}")
    public void checkOut(String cart, String requestId) {
        empty(cart, requestId); // the same key and the same owner: enters again
    }

    @Lock(key = "cart:{cart}", owner = "{requestId}")
    public void empty(String cart, String requestId) {
        done.add("emptied " + cart);
    }

    @Lock("export")
    public CompletionStage<String> export() {
        return CompletableFuture.supplyAsync(() -> "exported"); // the lock lasts until this is complete
    }

    private static String charge(String orderId, int cents) {
        return orderId + ": " + cents;
    }
}
