// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

/**
 * What is wrong with a chunk. Immutable and thread-safe. Faults of one chunk add up, in the order
 * of the script.
 */
public sealed interface ChunkFault {

  /**
   * Sends a CRC32C that isn't that of the content.
   *
   * @return the fault
   */
  static ChunkFault wrongCrc32c() {
    return Kind.WRONG_CRC32C;
  }

  /**
   * Sends no CRC32C.
   *
   * @return the fault
   */
  static ChunkFault absentCrc32c() {
    return Kind.ABSENT_CRC32C;
  }

  /**
   * Sends a CRC32C that is present and 0.
   *
   * @return the fault
   */
  static ChunkFault zeroCrc32c() {
    return Kind.ZERO_CRC32C;
  }

  /**
   * Sends one bit of the content flipped, with the CRC32C of the content as it was.
   *
   * @return the fault
   */
  static ChunkFault flippedBit() {
    return Kind.FLIPPED_BIT;
  }

  /**
   * Sends one bit of the content flipped, with the CRC32C of what is sent: only the CRC32C of the
   * whole object can tell.
   *
   * @return the fault
   */
  static ChunkFault flippedBitWithMatchingCrc32c() {
    return Kind.FLIPPED_BIT_WITH_MATCHING_CRC32C;
  }

  /**
   * Leaves {@code read_range} out.
   *
   * @return the fault
   */
  static ChunkFault noReadRange() {
    return Kind.NO_READ_RANGE;
  }

  /**
   * Leaves {@code checksummed_data} out: the content is lost.
   *
   * @return the fault
   */
  static ChunkFault noChecksummedData() {
    return Kind.NO_CHECKSUMMED_DATA;
  }

  /**
   * Tells a negative offset.
   *
   * @return the fault
   */
  static ChunkFault negativeOffset() {
    return Kind.NEGATIVE_OFFSET;
  }

  /**
   * Tells a negative length.
   *
   * @return the fault
   */
  static ChunkFault negativeLength() {
    return Kind.NEGATIVE_LENGTH;
  }

  /**
   * Tells a read id that nobody used; see {@link FakeGcs#UNKNOWN_READ_ID}.
   *
   * @return the fault
   */
  static ChunkFault unknownReadId() {
    return Kind.UNKNOWN_READ_ID;
  }

  /**
   * Tells a wrong offset for the right content.
   *
   * @param bytes what is added to the right offset
   * @return the fault
   */
  static ChunkFault offsetOffBy(long bytes) {
    return new OffsetOffBy(bytes);
  }

  /** The faults without a parameter; each is explained at the factory of its name. */
  enum Kind implements ChunkFault {
    /** See {@link ChunkFault#wrongCrc32c}. */
    WRONG_CRC32C,
    /** See {@link ChunkFault#absentCrc32c}. */
    ABSENT_CRC32C,
    /** See {@link ChunkFault#zeroCrc32c}. */
    ZERO_CRC32C,
    /** See {@link ChunkFault#flippedBit}. */
    FLIPPED_BIT,
    /** See {@link ChunkFault#flippedBitWithMatchingCrc32c}. */
    FLIPPED_BIT_WITH_MATCHING_CRC32C,
    /** See {@link ChunkFault#noReadRange}. */
    NO_READ_RANGE,
    /** See {@link ChunkFault#noChecksummedData}. */
    NO_CHECKSUMMED_DATA,
    /** See {@link ChunkFault#negativeOffset}. */
    NEGATIVE_OFFSET,
    /** See {@link ChunkFault#negativeLength}. */
    NEGATIVE_LENGTH,
    /** See {@link ChunkFault#unknownReadId}. */
    UNKNOWN_READ_ID
  }

  /**
   * Made by {@link ChunkFault#offsetOffBy}.
   *
   * @param bytes what is added to the right offset
   */
  record OffsetOffBy(long bytes) implements ChunkFault {}
}
