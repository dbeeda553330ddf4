// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import io.github.gcsmrd.ObjectInfo;
import java.util.Objects;
import java.util.Optional;

/**
 * A parsed {@code BidiReadObjectResponse}. Immutable; whoever received it owns a reference to its
 * memory and drops it with {@link #close}.
 */
public final class ReceivedMessage implements Response {
  private final RangeData[] ranges;
  private final int rangeCount;
  private final Optional<ObjectInfo> metadata;
  private final Optional<byte[]> readHandle;
  private final MessageMemory memory;

  /** Takes over the array, of which the first {@code rangeCount} elements count. */
  ReceivedMessage(
      RangeData[] ranges,
      int rangeCount,
      Optional<ObjectInfo> metadata,
      Optional<byte[]> readHandle,
      MessageMemory memory) {
    this.ranges = ranges;
    this.rangeCount = rangeCount;
    this.metadata = metadata;
    this.readHandle = readHandle;
    this.memory = memory;
  }

  /** How many pieces of ranges it brings; 0 for a sign of life. */
  public int rangeCount() {
    return rangeCount;
  }

  /**
   * A piece of a range, in the order of the wire.
   *
   * @throws IndexOutOfBoundsException if there is no such piece
   */
  public RangeData range(int index) {
    return ranges[Objects.checkIndex(index, rangeCount)];
  }

  /** The object's metadata, if it came with this message. */
  public Optional<ObjectInfo> metadata() {
    return metadata;
  }

  /**
   * The bytes of a new read handle, if one came; a handle without bytes is none. It is a copy that
   * outlives the message, made once: nobody changes it.
   */
  public Optional<byte[]> readHandle() {
    return readHandle;
  }

  /** What must be retained by whoever keeps a content longer than the message. */
  public MessageMemory memory() {
    return memory;
  }

  @Override
  public void close() {
    memory.release();
  }
}
