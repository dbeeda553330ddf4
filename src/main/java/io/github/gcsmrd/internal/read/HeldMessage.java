// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import java.util.function.IntConsumer;

/**
 * One message of which pieces are held, counted once however many they are. Confined to the loop.
 */
public final class HeldMessage {
  private final IntConsumer counter;
  private int pieces;

  /**
   * A message of which nothing is held yet.
   *
   * @param counter told 1 with the first piece and -1 after the last
   */
  public HeldMessage(IntConsumer counter) {
    this.counter = counter;
  }

  void add() {
    if (pieces++ == 0) {
      counter.accept(1);
    }
  }

  void remove() {
    assert pieces > 0;
    if (--pieces == 0) {
      counter.accept(-1);
    }
  }
}
