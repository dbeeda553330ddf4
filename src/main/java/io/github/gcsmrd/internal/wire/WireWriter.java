// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import java.util.OptionalLong;

/** Writes protobuf's wire format into an array of known size. Confined to one encoding. */
final class WireWriter {
  private final byte[] bytes;
  private int at;

  WireWriter(int size) {
    bytes = new byte[size];
  }

  /** The array, once it is full. */
  byte[] finish() {
    if (at != bytes.length) {
      throw new IllegalStateException(at + " bytes written where " + bytes.length + " were due");
    }
    return bytes;
  }

  /** Writes a field that is left out if it is 0. */
  void integer(int field, long value) {
    if (value != 0) {
      presentInteger(field, value);
    }
  }

  /** Writes a field whose presence counts, even if it is 0. */
  void integer(int field, OptionalLong value) {
    if (value.isPresent()) {
      presentInteger(field, value.getAsLong());
    }
  }

  private void presentInteger(int field, long value) {
    varint(WireFormat.tag(field, WireFormat.VARINT));
    varint(value);
  }

  /** Writes a field that is left out if it is empty. */
  void bytes(int field, byte[] value) {
    if (value.length > 0) {
      presentBytes(field, value);
    }
  }

  /** Writes a field whose presence counts, even if it is empty. */
  void presentBytes(int field, byte[] value) {
    message(field, value.length);
    System.arraycopy(value, 0, bytes, at, value.length);
    at += value.length;
  }

  /** Begins an embedded message, whose fields follow. */
  void message(int field, int size) {
    varint(WireFormat.tag(field, WireFormat.LENGTH_DELIMITED));
    varint(size);
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at++] = (byte) rest;
  }

  /** The size of a field that is left out if it is 0. */
  static int integerSize(int field, long value) {
    return value == 0 ? 0 : tagSize(field) + varintSize(value);
  }

  /** The size of a field whose presence counts. */
  static int integerSize(int field, OptionalLong value) {
    return value.isPresent() ? tagSize(field) + varintSize(value.getAsLong()) : 0;
  }

  /** The size of a field that is left out if it is empty. */
  static int bytesSize(int field, byte[] value) {
    return value.length == 0 ? 0 : messageSize(field, value.length);
  }

  /** The size of an embedded message or another field of so many bytes, with tag and length. */
  static int messageSize(int field, int size) {
    return Math.addExact(tagSize(field) + varintSize(size), size);
  }

  private static int tagSize(int field) {
    return varintSize(WireFormat.tag(field, WireFormat.VARINT));
  }

  private static int varintSize(long value) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(value | 1);
    return (bits + 6) / 7;
  }
}
