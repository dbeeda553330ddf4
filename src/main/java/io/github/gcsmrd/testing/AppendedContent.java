// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.util.Arrays;

/**
 * Content with bytes appended. Immutable and thread-safe: appending makes a new one, so that a read
 * in progress keeps seeing the size it started with.
 */
final class AppendedContent implements ObjectContent {
  private final ObjectContent head;

  /** All that was appended since the head. */
  private final byte[] tail;

  private AppendedContent(ObjectContent head, byte[] tail) {
    this.head = head;
    this.tail = tail;
  }

  static AppendedContent append(ObjectContent content, byte[] more) {
    if (content instanceof AppendedContent appended) {
      byte[] tail = Arrays.copyOf(appended.tail, appended.tail.length + more.length);
      System.arraycopy(more, 0, tail, appended.tail.length, more.length);
      return new AppendedContent(appended.head, tail);
    }
    return new AppendedContent(content, more.clone());
  }

  @Override
  public long size() {
    return head.size() + tail.length;
  }

  @Override
  public void read(long offset, byte[] target, int targetOffset, int length) {
    requireInside(offset, length);
    int fromHead = (int) Math.max(0, Math.min(length, head.size() - offset));
    if (fromHead > 0) {
      head.read(offset, target, targetOffset, fromHead);
    }
    if (fromHead < length) {
      int tailOffset = (int) (offset + fromHead - head.size());
      System.arraycopy(tail, tailOffset, target, targetOffset + fromHead, length - fromHead);
    }
  }
}
