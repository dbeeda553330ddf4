// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** A few bytes as a value: equal if the bytes are. Immutable and thread-safe. */
public final class Bytes {
  private final byte[] bytes;

  private Bytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the bytes of an array.
   *
   * @param bytes the array; copied
   * @return the value
   */
  public static Bytes of(byte[] bytes) {
    return new Bytes(bytes.clone());
  }

  /**
   * Returns the bytes of a text in UTF-8.
   *
   * @param text the text
   * @return the value
   */
  public static Bytes utf8(String text) {
    return new Bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Returns the number of bytes.
   *
   * @return 0 or more
   */
  public int size() {
    return bytes.length;
  }

  /**
   * Returns a copy of the bytes.
   *
   * @return a new array
   */
  public byte[] toByteArray() {
    return bytes.clone();
  }

  /** The bytes themselves, not to be changed. */
  byte[] array() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
