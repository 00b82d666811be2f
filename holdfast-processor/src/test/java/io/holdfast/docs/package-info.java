// SPDX-License-Identifier: Apache-2.0
/** The snippets of docs/annotations.md, woven by the processor when the tests are compiled. */
package io.holdfast.docs;
