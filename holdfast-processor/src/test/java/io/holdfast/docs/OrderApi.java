// SPDX-License-Identifier: Apache-2.0
package io.holdfast.docs;

import io.holdfast.Lock;

public interface OrderApi {
    @Lock("order:{orderId}")
    void cancel(String orderId);

    String state(String orderId);
}
