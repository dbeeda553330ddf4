// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** Encodes the few ASN.1 values that a certificate is made of. Stateless and thread-safe. */
final class Der {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'");

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return value(0x30, concat(parts));
  }

  static byte[] set(byte[]... parts) {
    return value(0x31, concat(parts));
  }

  /** A number of one byte, 0 to 127. */
  static byte[] integer(int number) {
    return value(0x02, new byte[] {(byte) number});
  }

  /** A number from its two's complement, the highest byte first. */
  static byte[] integer(byte[] number) {
    return value(0x02, number);
  }

  static byte[] yes() {
    return value(0x01, new byte[] {(byte) 0xFF});
  }

  static byte[] utf8(String text) {
    return value(0x0C, text.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] octets(byte[] content) {
    return value(0x04, content);
  }

  /** Bits that fill whole bytes. */
  static byte[] bits(byte[] content) {
    return value(0x03, concat(new byte[] {0}, content));
  }

  static byte[] time(ZonedDateTime time) {
    String text = TIME.format(time.withZoneSameInstant(ZoneOffset.UTC));
    return value(0x18, text.getBytes(StandardCharsets.US_ASCII));
  }

  /** An object identifier, its first two numbers being 1 and 2, or 2 and 5. */
  static byte[] oid(int... numbers) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.write(numbers[0] * 40 + numbers[1]);
    for (int i = 2; i < numbers.length; i++) {
      for (int shift = 28; shift > 0; shift -= 7) {
        if (numbers[i] >>> shift != 0) {
          content.write(((numbers[i] >>> shift) & 0x7F) | 0x80);
        }
      }
      content.write(numbers[i] & 0x7F);
    }
    return value(0x06, content.toByteArray());
  }

  /** A value with a tag of the context. */
  static byte[] tagged(int tag, byte[] content) {
    return value(tag, content);
  }

  static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] value(int tag, byte[] content) {
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    encoded.write(tag);
    if (content.length < 0x80) {
      encoded.write(content.length);
    } else if (content.length < 0x100) {
      encoded.write(0x81);
      encoded.write(content.length);
    } else {
      encoded.write(0x82);
      encoded.write(content.length >>> 8);
      encoded.write(content.length);
    }
    encoded.writeBytes(content);
    return encoded.toByteArray();
  }
}
