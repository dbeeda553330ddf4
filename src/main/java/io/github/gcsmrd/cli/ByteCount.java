// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of bytes such as {@code 4096}, {@code 64KiB} or {@code 2m}. Thread-safe. */
final class ByteCount implements ITypeConverter<Long> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,19})(?:([kmgt])(?:i?b)?)?");

  @Override
  public Long convert(String text) {
    return parse(text);
  }

  /**
   * Reads a number; units are powers of 1,024.
   *
   * @throws TypeConversionException if it is none, or more than a long holds
   */
  static long parse(String text) {
    Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is no number of bytes such as 4096 or 4KiB");
    }
    String unit = matcher.group(2);
    int shift = unit == null ? 0 : ("kmgt".indexOf(unit) + 1) * 10;
    try {
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift);
    } catch (ArithmeticException | NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is too large");
    }
  }
}
