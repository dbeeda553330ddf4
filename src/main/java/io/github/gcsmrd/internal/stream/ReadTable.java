// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.RangeRead;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The ranges asked for on a stream, by read id. Confined to the loop.
 *
 * <p>An open-addressing table over primitive ids: a lookup for each chunk neither boxes nor
 * allocates. Ids count up, so they spread without hashing.
 */
final class ReadTable {
  private static final int MIN_CAPACITY = 16;

  private @Nullable RangeRead[] slots = new @Nullable RangeRead[MIN_CAPACITY];
  private int size;

  int size() {
    return size;
  }

  /** Adds a read under its id, which must not be in the table. */
  void add(RangeRead read) {
    if ((size + 1) * 2 > slots.length) {
      grow();
    }
    place(slots, read);
    size++;
  }

  /** How many of them have got nothing since they were asked for. */
  int untouched() {
    int count = 0;
    for (RangeRead read : slots) {
      count += read != null && read.isUntouched() ? 1 : 0;
    }
    return count;
  }

  /** The read asked for under an id, or null for one that is unknown or over. */
  @Nullable RangeRead get(long readId) {
    int index = indexOf(readId);
    return index < 0 ? null : slots[index];
  }

  /** Takes a read out; does nothing if it isn't there. */
  void remove(RangeRead read) {
    int hole = indexOf(read.readId());
    if (hole < 0 || slots[hole] != read) {
      return;
    }
    size--;
    int mask = slots.length - 1;
    slots[hole] = null;
    // Moves later entries of the same run back, so that no lookup stops at the hole.
    for (int i = (hole + 1) & mask; ; i = (i + 1) & mask) {
      RangeRead moved = slots[i];
      if (moved == null) {
        return;
      }
      int home = (int) moved.readId() & mask;
      if (((i - home) & mask) >= ((i - hole) & mask)) {
        slots[hole] = moved;
        slots[i] = null;
        hole = i;
      }
    }
  }

  /** Takes all reads out, in the order of their submission. */
  RangeRead[] drain() {
    RangeRead[] drained = new RangeRead[size];
    int count = 0;
    for (RangeRead read : slots) {
      if (read != null) {
        drained[count++] = read;
      }
    }
    Arrays.fill(slots, null);
    size = 0;
    Arrays.sort(drained, (a, b) -> Long.compare(a.sequence(), b.sequence()));
    return drained;
  }

  /** All reads in the order of their submission; they stay. */
  RangeRead[] snapshot() {
    RangeRead[] all = drain();
    for (RangeRead read : all) {
      add(read);
    }
    return all;
  }

  private int indexOf(long readId) {
    int mask = slots.length - 1;
    for (int i = (int) readId & mask; ; i = (i + 1) & mask) {
      RangeRead read = slots[i];
      if (read == null) {
        return -1;
      }
      if (read.readId() == readId) {
        return i;
      }
    }
  }

  private void grow() {
    @Nullable RangeRead[] larger = new @Nullable RangeRead[slots.length * 2];
    for (RangeRead read : slots) {
      if (read != null) {
        place(larger, read);
      }
    }
    slots = larger;
  }

  private static void place(@Nullable RangeRead[] slots, RangeRead read) {
    int mask = slots.length - 1;
    int i = (int) read.readId() & mask;
    while (slots[i] != null) {
      i = (i + 1) & mask;
    }
    slots[i] = read;
  }
}
