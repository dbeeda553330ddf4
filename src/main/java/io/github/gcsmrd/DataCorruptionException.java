// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import org.jspecify.annotations.Nullable;

/**
 * Bytes did not match their checksum, however often they were asked for; none of them was
 * delivered. For a mismatch of the whole object, found at its end, all bytes had been delivered,
 * each chunk right by itself. Immutable.
 *
 * <p>What to do: don't use bytes of a whole-object mismatch; otherwise those before {@link
 * #offset()} are right. The network, a proxy or memory may be faulty: read again elsewhere.
 */
public final class DataCorruptionException extends RangeException {
  private static final long serialVersionUID = 1L;

  private final long offset;
  private final int expectedCrc32c;
  private final int actualCrc32c;

  /**
   * Makes the exception.
   *
   * @param what what happened, in words
   * @param context the facts
   * @param offset the object offset of the first byte that the checksum covers
   * @param expectedCrc32c the service's checksum
   * @param actualCrc32c the checksum of the bytes received
   * @param cause the failure below, or null
   */
  public DataCorruptionException(
      String what,
      FailureContext context,
      long offset,
      int expectedCrc32c,
      int actualCrc32c,
      @Nullable Throwable cause) {
    super(
        String.format(
            "%s at offset %d: expected crc32c %08x, actual %08x",
            what, offset, expectedCrc32c, actualCrc32c),
        context,
        cause);
    this.offset = offset;
    this.expectedCrc32c = expectedCrc32c;
    this.actualCrc32c = actualCrc32c;
  }

  /**
   * Returns where the bytes start that did not match.
   *
   * @return the offset in the object, in bytes
   */
  public long offset() {
    return offset;
  }

  /**
   * Returns the checksum that the service sent.
   *
   * @return the CRC32C
   */
  public int expectedCrc32c() {
    return expectedCrc32c;
  }

  /**
   * Returns the checksum of the bytes that came.
   *
   * @return the CRC32C
   */
  public int actualCrc32c() {
    return actualCrc32c;
  }
}
