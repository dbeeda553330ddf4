// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Which asked ranges a {@link RangeScript} befalls. Immutable and thread-safe.
 *
 * <p>All conditions must hold. Ranges asked for again by a client, after a break for example, are
 * asked ranges like any other.
 */
public final class RangeMatch {
  private static final RangeMatch ANY =
      new RangeMatch(OptionalLong.empty(), OptionalInt.empty(), OptionalInt.empty(), -1);

  private final OptionalLong offset;
  private final OptionalInt ordinal;
  private final OptionalInt stream;
  private final int times;

  private RangeMatch(OptionalLong offset, OptionalInt ordinal, OptionalInt stream, int times) {
    this.offset = offset;
    this.ordinal = ordinal;
    this.stream = stream;
    this.times = times;
  }

  /**
   * Matches every range.
   *
   * @return the match
   */
  public static RangeMatch any() {
    return ANY;
  }

  /**
   * Matches ranges by their offset as it is in the request, negative ones too.
   *
   * @param offset the {@code read_offset}
   * @return the match
   */
  public static RangeMatch offset(long offset) {
    return new RangeMatch(
        OptionalLong.of(offset), OptionalInt.empty(), OptionalInt.empty(), ANY.times);
  }

  /**
   * Matches one range by its place among all that the server received.
   *
   * @param ordinal 1 for the first
   * @return the match
   */
  public static RangeMatch ordinal(int ordinal) {
    return new RangeMatch(
        OptionalLong.empty(), OptionalInt.of(ordinal), OptionalInt.empty(), ANY.times);
  }

  /**
   * Also asks for a stream.
   *
   * @param ordinal the stream's ordinal on the server, from 1
   * @return the match
   */
  public RangeMatch onStream(int ordinal) {
    return new RangeMatch(offset, this.ordinal, OptionalInt.of(ordinal), times);
  }

  /**
   * Matches only the first range that fulfils the other conditions.
   *
   * @return the match
   */
  public RangeMatch once() {
    return times(1);
  }

  /**
   * Matches only the first ranges that fulfil the other conditions.
   *
   * @param count how many
   * @return the match
   * @throws IllegalArgumentException if it is not positive
   */
  public RangeMatch times(int count) {
    if (count <= 0) {
      throw new IllegalArgumentException("count is not positive: " + count);
    }
    return new RangeMatch(offset, ordinal, stream, count);
  }

  /** How many ranges may match: negative for all. */
  int limit() {
    return times;
  }

  boolean matches(int streamOrdinal, int rangeOrdinal, long askedOffset) {
    return (offset.isEmpty() || offset.getAsLong() == askedOffset)
        && (ordinal.isEmpty() || ordinal.getAsInt() == rangeOrdinal)
        && (stream.isEmpty() || stream.getAsInt() == streamOrdinal);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RangeMatch that
        && offset.equals(that.offset)
        && ordinal.equals(that.ordinal)
        && stream.equals(that.stream)
        && times == that.times;
  }

  @Override
  public int hashCode() {
    return Objects.hash(offset, ordinal, stream, times);
  }
}
