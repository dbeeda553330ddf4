// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.checksum;

/**
 * The CRC32C of bytes that come part by part, each with its own CRC32C. Confined to the loop of the
 * read it belongs to.
 */
public final class RunningCrc32c {
  private int crc;
  private long length;

  /**
   * Adds the next part.
   *
   * @param partCrc the part's CRC32C
   * @param partLength how many bytes it has
   * @throws IllegalArgumentException if the length is negative
   */
  public void append(int partCrc, long partLength) {
    crc = Crc32cCombine.combine(crc, partCrc, partLength);
    length += partLength;
  }

  /** The CRC32C of all parts; 0 if there was none. */
  public int crc() {
    return crc;
  }

  /** How many bytes the parts have together. */
  public long length() {
    return length;
  }
}
