// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

/**
 * One {@code ObjectRangeData} as it came: nothing in it is checked against what was asked.
 * Immutable; for {@link #content} see there.
 */
public final class RangeData {
  /** What an {@code ObjectRangeData} without fields means. */
  static final RangeData EMPTY = new RangeData(false, 0, 0, 0, false, false, 0, Content.empty());

  private final boolean hasReadRange;
  private final long readId;
  private final long offset;
  private final long length;
  private final boolean rangeEnd;
  private final boolean hasChecksum;
  private final int crc32c;
  private final Content content;

  RangeData(
      boolean hasReadRange,
      long readId,
      long offset,
      long length,
      boolean rangeEnd,
      boolean hasChecksum,
      int crc32c,
      Content content) {
    this.hasReadRange = hasReadRange;
    this.readId = readId;
    this.offset = offset;
    this.length = length;
    this.rangeEnd = rangeEnd;
    this.hasChecksum = hasChecksum;
    this.crc32c = crc32c;
    this.content = content;
  }

  /** The same answer over another copy of its bytes. */
  public RangeData withContent(Content copy) {
    return new RangeData(hasReadRange, readId, offset, length, rangeEnd, hasChecksum, crc32c, copy);
  }

  /** Whether the message names a range; without it id, offset and length are 0. */
  public boolean hasReadRange() {
    return hasReadRange;
  }

  /** The id of the range. */
  public long readId() {
    return readId;
  }

  /** Where in the object the server says that the content begins. */
  public long offset() {
    return offset;
  }

  /** The length the server echoes, which is not to be trusted: the content's own counts. */
  public long length() {
    return length;
  }

  /** Whether the server says that the range ends with this. */
  public boolean rangeEnd() {
    return rangeEnd;
  }

  /** Whether there is a checksum; a checksum of 0 is one. */
  public boolean hasChecksum() {
    return hasChecksum;
  }

  /** The CRC32C of the content, 0 if there is none. */
  public int crc32c() {
    return crc32c;
  }

  /** The bytes; empty if there are none. */
  public Content content() {
    return content;
  }
}
