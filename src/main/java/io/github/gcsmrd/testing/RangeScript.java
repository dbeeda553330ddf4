// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.github.gcsmrd.StatusCode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What {@link FakeGcs} does otherwise than usual when it answers a range. Immutable and
 * thread-safe; one script can serve any number of ranges.
 *
 * <p>Positions "after n bytes" count the bytes sent for the range; a chunk is cut there. 0 is
 * before the first chunk.
 */
public final class RangeScript {
  private static final RangeScript NOTHING = builder().build();

  /** How the end of a range is told. */
  public enum RangeEnd {
    /** {@code range_end} is on the last chunk. The default. */
    ON_LAST_CHUNK,
    /** It never comes. */
    MISSING,
    /** It comes on a chunk of its own, with empty data. */
    LATE,
    /** It comes on a chunk of its own that has no {@code checksummed_data} at all. */
    LATE_WITHOUT_DATA,
    /** It is on the last chunk, and once more on an empty chunk of its own. */
    TWICE
  }

  /** What happens to a range at a position. */
  sealed interface Event {}

  /**
   * Goes on elsewhere in the object.
   *
   * @param bytes how far ahead, or back if negative
   */
  record Jump(long bytes) implements Event {}

  /**
   * Sends empty chunks of the range.
   *
   * @param count how many
   */
  record EmptyChunks(int count) implements Event {}

  /**
   * Holds the range, and it alone.
   *
   * @param gate what holds it
   */
  record HoldRange(Gate gate) implements Event {}

  /**
   * Ends the stream with an error of this range.
   *
   * @param code the range's status and the stream's
   * @param message the message of both
   */
  record Fail(StatusCode code, String message) implements Event {}

  /**
   * Does something to the stream.
   *
   * @param action what
   */
  record Act(StreamAction action) implements Event {}

  /**
   * An event with its position.
   *
   * @param afterBytes the position
   * @param event the event
   */
  record Step(long afterBytes, Event event) {}

  /**
   * A fault with the chunks that it befalls.
   *
   * @param match the chunks
   * @param fault the fault
   */
  record FaultyChunks(ChunkMatch match, ChunkFault fault) {}

  /** Sorted by position, in the order of the script where positions are the same. */
  final List<Step> steps;

  final List<FaultyChunks> faults;
  final RangeEnd rangeEnd;
  final OptionalLong earlyEnd;
  final OptionalLong shortBytes;
  final long surplusBytes;
  final OptionalInt chunkBytes;

  private RangeScript(Builder builder) {
    steps = builder.steps.stream().sorted(Comparator.comparingLong(Step::afterBytes)).toList();
    faults = List.copyOf(builder.faults);
    rangeEnd = builder.rangeEnd;
    earlyEnd = builder.earlyEnd;
    shortBytes = builder.shortBytes;
    surplusBytes = builder.surplusBytes;
    chunkBytes = builder.chunkBytes;
  }

  /**
   * Returns the script of a range that goes as usual.
   *
   * @return the script that {@link #builder()} starts with
   */
  public static RangeScript nothing() {
    return NOTHING;
  }

  /**
   * Returns a script of one chunk fault.
   *
   * @param chunks the chunks that it befalls
   * @param fault what is wrong with them
   * @return the script
   */
  public static RangeScript chunk(ChunkMatch chunks, ChunkFault fault) {
    return builder().chunk(chunks, fault).build();
  }

  /**
   * Returns a builder of a script that changes nothing yet.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Builds a {@link RangeScript}. Not thread-safe. */
  public static final class Builder {
    private final List<Step> steps = new ArrayList<>();
    private final List<FaultyChunks> faults = new ArrayList<>();
    private RangeEnd rangeEnd = RangeEnd.ON_LAST_CHUNK;
    private OptionalLong earlyEnd = OptionalLong.empty();
    private OptionalLong shortBytes = OptionalLong.empty();
    private long surplusBytes;
    private OptionalInt chunkBytes = OptionalInt.empty();

    private Builder() {}

    /**
     * Adds a fault of chunks.
     *
     * @param chunks the chunks that it befalls
     * @param fault what is wrong with them
     * @return this
     */
    public Builder chunk(ChunkMatch chunks, ChunkFault fault) {
      faults.add(
          new FaultyChunks(
              Objects.requireNonNull(chunks, "chunks"), Objects.requireNonNull(fault, "fault")));
      return this;
    }

    /**
     * Sets how the end is told.
     *
     * @param rangeEnd how, {@link RangeEnd#ON_LAST_CHUNK} by default
     * @return this
     */
    public Builder rangeEnd(RangeEnd rangeEnd) {
      this.rangeEnd = Objects.requireNonNull(rangeEnd, "rangeEnd");
      return this;
    }

    /**
     * Tells the end too early: on the chunk that ends after so many bytes, though more chunks
     * follow, with the usual end at theirs.
     *
     * @param afterBytes the position, more than 0
     * @return this
     */
    public Builder earlyRangeEnd(long afterBytes) {
      earlyEnd = OptionalLong.of(requireNotNegative(afterBytes));
      return this;
    }

    /**
     * Sends less than there is and tells the end there.
     *
     * @param bytes how many bytes are sent
     * @return this
     */
    public Builder endAfter(long bytes) {
      shortBytes = OptionalLong.of(requireNotNegative(bytes));
      return this;
    }

    /**
     * Sends more than was asked for: the bytes that follow in the object, then bytes 0xEE.
     *
     * @param bytes how many more
     * @return this
     */
    public Builder surplus(long bytes) {
      surplusBytes = requireNotNegative(bytes);
      return this;
    }

    /**
     * Leaves bytes out: the offsets told are right, so there is a gap. The range ends where it
     * would have ended.
     *
     * @param afterBytes the position
     * @param bytes how many bytes are left out
     * @return this
     */
    public Builder gap(long afterBytes, long bytes) {
      return step(afterBytes, new Jump(requireNotNegative(bytes)));
    }

    /**
     * Goes back: bytes that were sent, or that lie before the range, come again with their right
     * offsets. The range ends where it would have ended.
     *
     * @param afterBytes the position; 0 starts before the range
     * @param bytes how far back
     * @return this
     */
    public Builder overlap(long afterBytes, long bytes) {
      return step(afterBytes, new Jump(-requireNotNegative(bytes)));
    }

    /**
     * Sends chunks of the range without content.
     *
     * @param afterBytes the position
     * @param count how many
     * @return this
     */
    public Builder emptyChunks(long afterBytes, int count) {
      return step(afterBytes, new EmptyChunks(count));
    }

    /**
     * Holds this range until the gate opens; other ranges of the stream go on.
     *
     * @param afterBytes the position; the number of bytes of the range holds its end alone, if that
     *     comes late
     * @param gate what holds it
     * @return this
     */
    public Builder hold(long afterBytes, Gate gate) {
      return step(afterBytes, new HoldRange(gate));
    }

    /**
     * Ends the stream with an error of this range, as the service does; {@link
     * StreamScript.Builder#rangeErrors} says what the details list.
     *
     * @param afterBytes the position
     * @param code the range's status, and the stream's
     * @param message the message of both
     * @return this
     */
    public Builder fail(long afterBytes, StatusCode code, String message) {
      return step(afterBytes, new Fail(code, message));
    }

    /**
     * Does something to the whole stream.
     *
     * @param afterBytes the position
     * @param action what is done
     * @return this
     */
    public Builder at(long afterBytes, StreamAction action) {
      return step(afterBytes, new Act(Objects.requireNonNull(action, "action")));
    }

    /**
     * Sets the chunk size of this range.
     *
     * @param bytes the largest chunk, the stream's by default
     * @return this
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder chunkBytes(int bytes) {
      if (bytes <= 0) {
        throw new IllegalArgumentException("bytes is not positive: " + bytes);
      }
      chunkBytes = OptionalInt.of(bytes);
      return this;
    }

    /**
     * Builds the script.
     *
     * @return the script
     */
    public RangeScript build() {
      return new RangeScript(this);
    }

    private Builder step(long afterBytes, Event event) {
      steps.add(new Step(requireNotNegative(afterBytes), event));
      return this;
    }

    private static long requireNotNegative(long number) {
      if (number < 0) {
        throw new IllegalArgumentException("negative: " + number);
      }
      return number;
    }
  }
}
