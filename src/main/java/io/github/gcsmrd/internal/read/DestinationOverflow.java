// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

/** Bytes don't fit the destination. Immutable, stackless: it never leaves the library. */
public final class DestinationOverflow extends Exception {
  private static final long serialVersionUID = 1L;

  DestinationOverflow(long position, int length, long capacity) {
    super(
        "destination of "
            + capacity
            + " bytes is too small: "
            + length
            + " more bytes came after "
            + position,
        null,
        false,
        false);
  }

  private DestinationOverflow(String message) {
    super(message, null, false, false);
  }

  /** The range is longer than any buffer can be. */
  static DestinationOverflow ofAnyBuffer(long lengthBytes) {
    return new DestinationOverflow(
        "the range has "
            + lengthBytes
            + " bytes, more than a buffer can have ("
            + Integer.MAX_VALUE
            + "): use a sink, or several bounded ranges");
  }
}
