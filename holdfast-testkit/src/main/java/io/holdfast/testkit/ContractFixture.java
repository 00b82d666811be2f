// SPDX-License-Identifier: Apache-2.0
package io.holdfast.testkit;

import io.holdfast.Holdfast;

/** What a contract suite needs to know of the thing under test. One fixture serves one test. */
public interface ContractFixture extends AutoCloseable {

    /** Settings of a new, independent process's Holdfast on the store under test. */
    Holdfast.Builder holdfast();

    /** The store, past the client under test. */
    Backdoor backdoor();

    @Override
    void close();
}
