// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import java.io.ByteArrayOutputStream;
import java.util.Random;

/**
 * Writes protobuf's wire format by hand, so that tests can encode what no generated class would:
 * the same values in longer varints, bits that a parser must drop. Confined to one test.
 */
final class LooseWriter {
  private final Random random;
  private final boolean minimal;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private LooseWriter(Random random, boolean minimal) {
    this.random = random;
    this.minimal = minimal;
  }

  /** Encodes as every serializer does. */
  static LooseWriter minimal() {
    return new LooseWriter(new Random(0), true);
  }

  /** Encodes in a legal way that chance picks. */
  static LooseWriter random(Random random) {
    return new LooseWriter(random, false);
  }

  byte[] toByteArray() {
    return out.toByteArray();
  }

  LooseWriter raw(int... bytes) {
    for (int value : bytes) {
      out.write(value);
    }
    return this;
  }

  LooseWriter raw(byte[] bytes) {
    out.writeBytes(bytes);
    return this;
  }

  /** A tag, whose bits beyond 32 mean nothing. */
  LooseWriter tag(int field, int wireType) {
    return truncated(WireFormat.tag(field, wireType));
  }

  LooseWriter varintField(int field, long value) {
    return tag(field, WireFormat.VARINT).varint(value);
  }

  LooseWriter fixed32Field(int field, int value) {
    tag(field, WireFormat.FIXED32);
    return raw(value, value >> 8, value >> 16, value >> 24);
  }

  LooseWriter fixed64Field(int field, long value) {
    tag(field, WireFormat.FIXED64);
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      out.write((int) (value >> shift));
    }
    return this;
  }

  LooseWriter bytesField(int field, byte[] bytes) {
    return tag(field, WireFormat.LENGTH_DELIMITED).truncated(bytes.length).raw(bytes);
  }

  LooseWriter groupField(int field, byte[] fields) {
    return tag(field, WireFormat.START_GROUP).raw(fields).tag(field, WireFormat.END_GROUP);
  }

  /** A number of which a parser takes the lower 32 bits. */
  private LooseWriter truncated(int value) {
    long low = value & 0xFFFF_FFFFL;
    boolean garbage = !minimal && random.nextInt(20) == 0;
    return varint(garbage ? low | (random.nextLong() << 32) : low);
  }

  LooseWriter varint(long value) {
    int padding = minimal || random.nextInt(4) > 0 ? 0 : random.nextInt(10);
    long rest = value;
    int written = 0;
    while (written < 9 && ((rest & ~0x7FL) != 0 || written < padding)) {
      out.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
      written++;
    }
    // The tenth byte holds one bit; what else is in it means nothing.
    int garbage = written == 9 && !minimal ? random.nextInt(64) << 1 : 0;
    out.write((int) rest | garbage);
    return this;
  }
}
