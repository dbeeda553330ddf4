// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a duration in whole seconds. Thread-safe. */
final class Seconds implements ITypeConverter<Duration> {
  /** Up to some thirty years, which fit into nanoseconds. */
  private static final Pattern FORM = Pattern.compile("0*[1-9]\\d{0,8}");

  @Override
  public Duration convert(String text) {
    if (!FORM.matcher(text).matches()) {
      throw new TypeConversionException("'" + text + "' is no number of seconds, 1 or more");
    }
    return Duration.ofSeconds(Long.parseLong(text));
  }
}
