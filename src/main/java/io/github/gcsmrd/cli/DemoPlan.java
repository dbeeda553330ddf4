// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.ByteRange;
import io.github.gcsmrd.RangeRequest;
import io.github.gcsmrd.testing.ObjectContent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The ranges of the demo, in their shuffled order, and their buffers. Confined to one thread. */
final class DemoPlan {
  private final List<Part> parts;

  private DemoPlan(List<Part> parts) {
    this.parts = parts;
  }

  /** A range and the memory for it. */
  private record Part(long offset, ByteBuffer buffer) {
    RangeRequest request() {
      return RangeRequest.into(buffer, ByteRange.of(offset, buffer.capacity()));
    }
  }

  /**
   * Cuts an object into ranges of equal length, the last one with what is left, and allocates all
   * of their memory.
   */
  static DemoPlan of(long size, int ranges, long seed) throws CommandFailure {
    if (ranges < 1 || size < ranges) {
      throw CommandFailure.usage("--ranges must be 1 to --size (" + size + "): " + ranges);
    }
    long each = size / ranges;
    if (each + size % ranges > Integer.MAX_VALUE) {
      throw CommandFailure.usage("a range may have up to 2 GiB: ask for more --ranges");
    }
    List<Part> parts = new ArrayList<>(ranges);
    for (int i = 0; i < ranges; i++) {
      long offset = i * each;
      long length = i == ranges - 1 ? size - offset : each;
      parts.add(new Part(offset, allocate((int) length, size)));
    }
    Collections.shuffle(parts, new Random(seed));
    return new DemoPlan(parts);
  }

  private static ByteBuffer allocate(int length, long size) throws CommandFailure {
    try {
      return ByteBuffer.allocateDirect(length);
    } catch (OutOfMemoryError e) {
      throw new CommandFailure(
          ExitStatus.FAILED,
          "no direct memory for "
              + size
              + " bytes: ask for less --size, or give the JVM"
              + " -XX:MaxDirectMemorySize",
          e);
    }
  }

  /** What is asked for, in this order. */
  List<RangeRequest> requests() {
    return parts.stream().map(Part::request).toList();
  }

  /** Forgets what was read, so that another round can't pass with it. */
  void wipe() {
    byte[] zeros = new byte[1 << 16];
    for (Part part : parts) {
      ByteBuffer rest = part.buffer().duplicate().clear();
      while (rest.hasRemaining()) {
        rest.put(zeros, 0, Math.min(zeros.length, rest.remaining()));
      }
    }
  }

  /** Compares every byte that was read. */
  void compare(ObjectContent content) throws CommandFailure {
    for (Part part : parts) {
      if (!content.matches(part.offset(), part.buffer())) {
        throw new CommandFailure(
            ExitStatus.CORRUPT, "wrong bytes in the range at offset " + part.offset(), null);
      }
    }
  }
}
