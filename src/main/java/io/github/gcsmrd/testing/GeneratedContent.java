// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Content computed from a seed: word {@code i} of 8 bytes (little endian) is a mix of the seed and
 * {@code i}. Immutable and thread-safe.
 *
 * @param seed what the bytes depend on
 * @param size the number of bytes
 */
record GeneratedContent(long seed, long size) implements ObjectContent {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** The odd number next to 2^64 / golden ratio, the usual step of a Weyl sequence. */
  private static final long STEP = 0x9E3779B97F4A7C15L;

  GeneratedContent {
    if (size < 0) {
      throw new IllegalArgumentException("size is negative: " + size);
    }
  }

  @Override
  public void read(long offset, byte[] target, int targetOffset, int length) {
    requireInside(offset, length);
    Objects.checkFromIndexSize(targetOffset, length, target.length);
    int at = targetOffset;
    int end = targetOffset + length;
    long index = offset >>> 3;
    int skip = (int) (offset & 7);
    if (skip != 0 && at < end) {
      int taken = Math.min(8 - skip, end - at);
      copyPart(word(index++) >>> (skip * 8), target, at, taken);
      at += taken;
    }
    for (; end - at >= 8; at += 8) {
      LONGS.set(target, at, word(index++));
    }
    if (at < end) {
      copyPart(word(index), target, at, end - at);
    }
  }

  private long word(long index) {
    long mixed = seed + (index + 1) * STEP;
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  private static void copyPart(long word, byte[] target, int at, int length) {
    long rest = word;
    for (int i = 0; i < length; i++) {
      target[at + i] = (byte) rest;
      rest >>>= 8;
    }
  }
}
