// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import io.github.gcsmrd.ByteRange;
import picocli.CommandLine.TypeConversionException;

/** Reads a range of the command line. */
final class RangeArgument {
  private RangeArgument() {}

  /**
   * Reads {@code OFFSET:LENGTH}, {@code OFFSET:} (to the end) or {@code -N:} (the last N bytes).
   *
   * @throws TypeConversionException if it is none of these
   */
  static ByteRange parse(String text) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw refused(text);
    }
    String start = text.substring(0, colon);
    String length = text.substring(colon + 1);
    if (!start.startsWith("-")) {
      long offset = ByteCount.parse(start);
      return length.isEmpty() ? ByteRange.from(offset) : bounded(offset, length);
    }
    if (!length.isEmpty()) {
      throw refused(text);
    }
    return ByteRange.last(ByteCount.parse(start.substring(1)));
  }

  private static ByteRange bounded(long offset, String length) {
    try {
      return ByteRange.of(offset, ByteCount.parse(length));
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  private static TypeConversionException refused(String text) {
    return new TypeConversionException(
        "'" + text + "' is not OFFSET:LENGTH, OFFSET: (to the end) or -N: (the last N bytes)");
  }
}
