// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

/** Checks of arguments; the messages name the argument and its value. Stateless, thread-safe. */
final class Checks {
  /** Names may be up to 222 characters with dots, as the service documents. */
  private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9._-]{1,220}[a-z0-9]");

  /** What a long of nanoseconds holds. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private static final int MAX_OBJECT_NAME_BYTES = 1024;

  /** More of a value tells nobody anything. */
  private static final int MAX_QUOTED_CHARS = 100;

  private Checks() {}

  static Duration positive(Duration value, String name) {
    Objects.requireNonNull(value, name);
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException(name + " must be more than zero: " + value);
    }
    if (value.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(name + " is longer than 292 years: " + value);
    }
    return value;
  }

  static long notNegative(long value, String name) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " must be 0 or more: " + value);
    }
    return value;
  }

  static long atLeast(long value, long least, String name) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be " + least + " or more: " + value);
    }
    return value;
  }

  static long generation(long value) {
    if (value <= 0) {
      throw new IllegalArgumentException("generation must be more than 0: " + value);
    }
    return value;
  }

  static int inRange(int value, int least, int most, String name) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must be from " + least + " to " + most + ": " + value);
    }
    return value;
  }

  static String printable(String value, String name) {
    Objects.requireNonNull(value, name);
    if (value.isBlank() || !value.chars().allMatch(c -> c >= 0x20 && c <= 0x7E)) {
      throw new IllegalArgumentException(name + " is not printable ASCII: " + quoted(value));
    }
    return value;
  }

  static String bucketName(String bucket) {
    Objects.requireNonNull(bucket, "bucket");
    if (bucket.startsWith("gs://") || bucket.startsWith("projects/")) {
      throw new IllegalArgumentException(
          "bucket must be the plain name, without gs:// or projects/_/buckets/: " + quoted(bucket));
    }
    if (!BUCKET.matcher(bucket).matches()) {
      throw new IllegalArgumentException(
          "bucket is no valid bucket name (3 to 222 of a-z, 0-9, '-', '_', '.'; letter or digit at"
              + " both ends): "
              + quoted(bucket));
    }
    return bucket;
  }

  static String objectName(String object) {
    Objects.requireNonNull(object, "object");
    int length;
    try {
      length = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(object)).limit();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("object has an unpaired surrogate: " + quoted(object), e);
    }
    if (length == 0 || length > MAX_OBJECT_NAME_BYTES) {
      throw new IllegalArgumentException(
          "object must be 1 to 1024 bytes of UTF-8, is " + length + ": " + quoted(object));
    }
    if (object.equals(".") || object.equals("..")) {
      throw new IllegalArgumentException("object can't be named '" + object + "'");
    }
    if (object.indexOf('\r') >= 0 || object.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(
          "object can't hold carriage return or line feed: " + quoted(object));
    }
    return object;
  }

  /** A value as a part of a message of one line: in quotes, the unprintable escaped, cut. */
  static String quoted(String value) {
    StringBuilder text = new StringBuilder("'");
    int shown = Math.min(value.length(), MAX_QUOTED_CHARS);
    for (int at = 0; at < shown; ) {
      int character = value.codePointAt(at);
      at += Character.charCount(character);
      switch (character) {
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        default -> {
          if (isPrintable(character)) {
            text.appendCodePoint(character);
          } else {
            text.append(String.format("\\u%04x", character));
          }
        }
      }
    }
    return text.append(shown < value.length() ? "...'" : "'").toString();
  }

  private static boolean isPrintable(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
