// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * A range to read and where its bytes go. Immutable and thread-safe; the destination belongs to the
 * download from {@link MultiRangeDownloader#downloadRanges} until the range's future, or {@link
 * Download#quiesced()} for one that was cancelled, has ended.
 */
public final class RangeRequest {

  /** Where the bytes of a range go. */
  sealed interface Target {}

  /** A part of a caller's buffer or array; position 0 is the range's first byte. */
  record BufferTarget(ByteBuffer slice) implements Target {}

  /** A buffer that the caller's allocator gives once the length is known. */
  record AllocatorTarget(IntFunction<ByteBuffer> allocator, Consumer<ByteBuffer> release)
      implements Target {}

  /** A caller's sink. */
  record SinkTarget(RangeSink sink, boolean onEventLoop) implements Target {}

  /** A caller's sink that returns futures. */
  record AsyncSinkTarget(AsyncRangeSink sink) implements Target {}

  private final ByteRange range;
  private final Target target;

  private RangeRequest(ByteRange range, Target target) {
    this.range = range;
    this.target = target;
  }

  /**
   * Reads a range into a buffer, from its position on. The caller's position and limit stay as they
   * are.
   *
   * <p>So two requests that are made of one buffer one after the other get the same memory, and mix
   * their bytes without a word: nothing checks that destinations are apart. Give each its own part,
   * such as {@code buffer.slice(index, length)}.
   *
   * @param destination a writable buffer, on the heap or direct
   * @param range the range; if its length is known it must fit between position and limit
   * @return the request
   * @throws IllegalArgumentException if the buffer is read-only, or the range is longer than the
   *     space in it
   */
  public static RangeRequest into(ByteBuffer destination, ByteRange range) {
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(range, "range");
    if (destination.isReadOnly()) {
      throw new IllegalArgumentException("destination is a read-only buffer: " + destination);
    }
    requireSpace(range, destination.remaining());
    return new RangeRequest(range, new BufferTarget(destination.slice()));
  }

  /**
   * Reads a range into an array. As with buffers, nothing checks that the parts of an array that
   * several requests get are apart: where they overlap, bytes mix.
   *
   * @param destination the array
   * @param offset the index of the range's first byte in it
   * @param range the range; if its length is known it must fit behind the offset
   * @return the request
   * @throws IndexOutOfBoundsException if the offset is not in the array
   * @throws IllegalArgumentException if the range is longer than the space in the array
   */
  public static RangeRequest into(byte[] destination, int offset, ByteRange range) {
    Objects.requireNonNull(destination, "destination");
    Objects.requireNonNull(range, "range");
    if (offset < 0 || offset > destination.length) {
      throw new IndexOutOfBoundsException(
          "offset must be from 0 to "
              + destination.length
              + ", the length of destination: "
              + offset);
    }
    int space = destination.length - offset;
    requireSpace(range, space);
    return new RangeRequest(
        range, new BufferTarget(ByteBuffer.wrap(destination, offset, space).slice()));
  }

  /**
   * Reads a range into a buffer of the caller's allocator.
   *
   * <p>A range to the end that turns out to be longer than a buffer can be fails with {@link
   * DestinationTooSmallException}; one whose allocator gives a buffer that can't be used, or none,
   * with {@link RangeException}.
   *
   * <p>The allocator is called once, on the client's blocking executor, with the most bytes that
   * can come; for a range to the end of the object, that is when the object's size is known. The
   * buffer is in the result ({@link RangeResult#buffer()}, the very buffer if its position was 0),
   * or else goes to {@code release}, exactly once, also when the range fails, is cancelled or
   * closed.
   *
   * @param range the range
   * @param allocator gives a writable buffer with at least the asked number of bytes remaining; if
   *     it throws, the range fails with that exception
   * @param release takes back a buffer that is in no result
   * @return the request
   * @throws IllegalArgumentException if the range is longer than a buffer can be
   */
  public static RangeRequest allocate(
      ByteRange range, IntFunction<ByteBuffer> allocator, Consumer<ByteBuffer> release) {
    Objects.requireNonNull(range, "range");
    Objects.requireNonNull(allocator, "allocator");
    Objects.requireNonNull(release, "release");
    long limit = limitOf(range);
    if (limit > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "range "
              + range
              + " has up to "
              + limit
              + " bytes, more than a buffer can have ("
              + Integer.MAX_VALUE
              + "): use a sink");
    }
    return new RangeRequest(range, new AllocatorTarget(allocator, release));
  }

  /**
   * Gives the chunks of a range to a sink.
   *
   * @param sink takes the chunks
   * @param range the range
   * @return the request
   */
  public static RangeRequest to(RangeSink sink, ByteRange range) {
    Objects.requireNonNull(sink, "sink");
    Objects.requireNonNull(range, "range");
    return new RangeRequest(range, new SinkTarget(sink, false));
  }

  /**
   * Gives the chunks of a range to a sink that returns a future for each.
   *
   * @param sink takes the chunks, the next one when the future of the one before has completed
   * @param range the range
   * @return the request
   */
  public static RangeRequest toAsync(AsyncRangeSink sink, ByteRange range) {
    Objects.requireNonNull(sink, "sink");
    Objects.requireNonNull(range, "range");
    return new RangeRequest(range, new AsyncSinkTarget(sink));
  }

  /**
   * Returns the same request with its sink called on the event loop, right after the check of each
   * chunk, while its bytes are still in the processor's cache. The sink must not block: every range
   * of every session on that loop waits for it.
   *
   * @return the request
   * @throws IllegalStateException if the destination is no {@link RangeSink}
   */
  public RangeRequest onEventLoop() {
    if (target instanceof SinkTarget sinkTarget) {
      return new RangeRequest(range, new SinkTarget(sinkTarget.sink(), true));
    }
    throw new IllegalStateException("onEventLoop() is for a RangeSink, this is " + this);
  }

  /**
   * Returns the range.
   *
   * @return the range as it was asked for
   */
  public ByteRange range() {
    return range;
  }

  Target target() {
    return target;
  }

  /** The most bytes that a range can have by what was asked, or -1 if that is not limited. */
  static long limitOf(ByteRange range) {
    if (range instanceof ByteRange.Bounded bounded) {
      return bounded.length();
    }
    return range instanceof ByteRange.Last last ? last.length() : -1;
  }

  private static void requireSpace(ByteRange range, int space) {
    long limit = limitOf(range);
    if (limit > space) {
      throw new IllegalArgumentException(
          "destination is too small: range "
              + range
              + " has up to "
              + limit
              + " bytes, space for "
              + space);
    }
  }

  @Override
  public String toString() {
    String where;
    if (target instanceof BufferTarget bufferTarget) {
      where = "buffer of " + bufferTarget.slice().capacity() + " bytes";
    } else if (target instanceof SinkTarget sinkTarget) {
      where = sinkTarget.onEventLoop() ? "sink on the event loop" : "sink";
    } else if (target instanceof AsyncSinkTarget) {
      where = "sink of futures";
    } else {
      where = "allocator";
    }
    return "RangeRequest[" + range + " to " + where + "]";
  }
}
