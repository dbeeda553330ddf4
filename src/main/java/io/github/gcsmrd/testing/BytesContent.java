// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

/** Content in an array that never changes. Immutable and thread-safe. */
final class BytesContent implements ObjectContent {
  private final byte[] bytes;

  /** Takes over the array. */
  BytesContent(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The content itself, to be sent without a copy and not to be changed. */
  byte[] array() {
    return bytes;
  }

  @Override
  public long size() {
    return bytes.length;
  }

  @Override
  public void read(long offset, byte[] target, int targetOffset, int length) {
    requireInside(offset, length);
    System.arraycopy(bytes, (int) offset, target, targetOffset, length);
  }
}
