// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import java.util.Objects;
import java.util.Optional;

/** Encodes a {@code BidiReadObjectRequest}. Stateless. */
public final class RequestEncoder {
  /** How many ranges the service takes in one request. */
  public static final int MAX_RANGES = 100;

  /** How many elements of the array of ranges describe one range. */
  public static final int ELEMENTS_PER_RANGE = 3;

  private static final int READ_OBJECT_SPEC = 1;
  private static final int READ_RANGES = 8;
  private static final int READ_OFFSET = 1;
  private static final int READ_LENGTH = 2;
  private static final int READ_ID = 3;

  private RequestEncoder() {}

  /**
   * Encodes a request.
   *
   * @param spec what to open: in the first request of a stream only
   * @param ranges offset, length and read id of each range, one after the other
   * @param rangeCount how many ranges of the array count
   * @return the encoded request, which belongs to the caller
   * @throws IllegalArgumentException if there are more than {@link #MAX_RANGES}
   * @throws IndexOutOfBoundsException if the array holds fewer
   */
  public static byte[] encode(Optional<OpenSpec> spec, long[] ranges, int rangeCount) {
    if (rangeCount < 0 || rangeCount > MAX_RANGES) {
      throw new IllegalArgumentException(
          "rangeCount is not within 0 to " + MAX_RANGES + ": " + rangeCount);
    }
    int elements = rangeCount * ELEMENTS_PER_RANGE;
    Objects.checkFromIndexSize(0, elements, ranges.length);
    int size = 0;
    for (int i = 0; i < elements; i += ELEMENTS_PER_RANGE) {
      size += WireWriter.messageSize(READ_RANGES, rangeSize(ranges, i));
    }
    if (spec.isEmpty()) {
      return writeRanges(new WireWriter(size), ranges, elements);
    }
    SpecEncoder specEncoder = new SpecEncoder(spec.get());
    size += WireWriter.messageSize(READ_OBJECT_SPEC, specEncoder.size());
    WireWriter writer = new WireWriter(size);
    writer.message(READ_OBJECT_SPEC, specEncoder.size());
    specEncoder.writeTo(writer);
    return writeRanges(writer, ranges, elements);
  }

  private static byte[] writeRanges(WireWriter writer, long[] ranges, int elements) {
    for (int i = 0; i < elements; i += ELEMENTS_PER_RANGE) {
      writer.message(READ_RANGES, rangeSize(ranges, i));
      writer.integer(READ_OFFSET, ranges[i]);
      writer.integer(READ_LENGTH, ranges[i + 1]);
      writer.integer(READ_ID, ranges[i + 2]);
    }
    return writer.finish();
  }

  private static int rangeSize(long[] ranges, int first) {
    return WireWriter.integerSize(READ_OFFSET, ranges[first])
        + WireWriter.integerSize(READ_LENGTH, ranges[first + 1])
        + WireWriter.integerSize(READ_ID, ranges[first + 2]);
  }
}
