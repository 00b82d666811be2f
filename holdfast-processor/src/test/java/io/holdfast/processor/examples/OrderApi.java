// SPDX-License-Identifier: Apache-2.0
package io.holdfast.processor.examples;

import io.holdfast.BusyPolicy;
import io.holdfast.Lock;
import io.holdfast.LockNotAcquiredException;
import java.util.List;

public interface OrderApi<T extends Comparable<T>> extends Iterable<T> {

    @Lock(value = "order:{order}", onBusy = BusyPolicy.FALLBACK, fallback = "addLater")
    boolean add(T order);

    default boolean addLater(T order, LockNotAcquiredException busy) {
        return false;
    }

    @Lock("orders")
    default List<T> all() {
        return List.of();
    }

    <S extends T> S first(List<? super S> orders, S... others) throws InterruptedException;
}
