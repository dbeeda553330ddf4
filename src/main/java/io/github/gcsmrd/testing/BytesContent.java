// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.util.Objects;

/**
 * Content in an array that never changes. Immutable and thread-safe.
 *
 * @param bytes the content, not copied: it can be sent without a copy
 */
record BytesContent(byte[] bytes) implements ObjectContent {
  @Override
  public long size() {
    return bytes.length;
  }

  @Override
  public void read(long offset, byte[] target, int targetOffset, int length) {
    Objects.checkFromIndexSize(offset, length, size());
    System.arraycopy(bytes, (int) offset, target, targetOffset, length);
  }
}
