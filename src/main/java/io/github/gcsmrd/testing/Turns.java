// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.github.gcsmrd.testing.StreamScript.Order;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pending ranges of a stream and whose turn it is. Confined to its stream. */
final class Turns {
  private final List<RangeRead> pending = new ArrayList<>();
  private Order order = Order.INTERLEAVED;
  private int cursor;

  void setOrder(Order order) {
    this.order = order;
  }

  void add(RangeRead range) {
    pending.add(range);
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }

  /** All pending ranges in the order received; a live view. */
  List<RangeRead> pending() {
    return pending;
  }

  boolean contains(long readId) {
    for (RangeRead range : pending) {
      if (range.readId() == readId) {
        return true;
      }
    }
    return false;
  }

  /** Returns the range whose turn it is, without ending its turn; null if none can go on. */
  @Nullable RangeRead current() {
    int size = pending.size();
    if (order == Order.SEQUENTIAL) {
      cursor = 0;
    }
    for (int i = 0; i < size; i++) {
      int at = (cursor + i) % size;
      RangeRead range = pending.get(at);
      if (!range.isHeld() && mayGoOn(range)) {
        cursor = at;
        return range;
      }
    }
    return null;
  }

  private boolean mayGoOn(RangeRead range) {
    return order != Order.BY_MESSAGE || range.message() == pending.get(0).message();
  }

  /** Ends the turn of the range that {@link #current} returned. */
  void endTurn(RangeRead range) {
    assert pending.get(cursor) == range;
    if (range.isFinished()) {
      pending.remove(cursor);
    } else {
      cursor++;
    }
    if (cursor >= pending.size()) {
      cursor = 0;
    }
  }
}
