// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

/** The next bytes don't fit the destination. Immutable, stackless: it never leaves the library. */
final class DestinationOverflow extends Exception {
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
}
