// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Cuts bytes into buffers as a transport may: heap or direct, at any position, some empty. */
public final class Fragments {
  private Fragments() {}

  /** All bytes in one heap buffer. */
  public static ByteBuffer[] whole(byte[] bytes) {
    return new ByteBuffer[] {ByteBuffer.wrap(bytes)};
  }

  /** Every byte in a buffer of its own. */
  public static ByteBuffer[] singleBytes(byte[] bytes) {
    ByteBuffer[] fragments = new ByteBuffer[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      fragments[i] = ByteBuffer.wrap(bytes, i, 1);
    }
    return fragments;
  }

  /** Buffers of one size, direct or not. */
  public static ByteBuffer[] even(byte[] bytes, int size, boolean direct) {
    List<ByteBuffer> fragments = new ArrayList<>();
    for (int at = 0; at < bytes.length; at += size) {
      int length = Math.min(size, bytes.length - at);
      ByteBuffer fragment =
          direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
      fragments.add(fragment.put(bytes, at, length).flip());
    }
    return fragments.toArray(ByteBuffer[]::new);
  }

  /** Buffers that chance cuts. */
  public static ByteBuffer[] random(byte[] bytes, Random random) {
    int most = 1 + random.nextInt(random.nextBoolean() ? 3 : 100);
    List<ByteBuffer> fragments = new ArrayList<>();
    for (int at = 0; at < bytes.length; ) {
      int length = Math.min(bytes.length - at, random.nextInt(most + 1));
      fragments.add(fragment(bytes, at, length, random));
      at += length;
    }
    if (random.nextBoolean()) {
      fragments.add(ByteBuffer.allocate(0));
    }
    return fragments.toArray(ByteBuffer[]::new);
  }

  /** A buffer with other bytes before and behind. */
  private static ByteBuffer fragment(byte[] bytes, int at, int length, Random random) {
    int before = random.nextInt(4);
    int capacity = before + length + random.nextInt(4);
    ByteBuffer fragment =
        random.nextInt(4) == 0
            ? ByteBuffer.allocateDirect(capacity)
            : ByteBuffer.allocate(capacity);
    for (int i = 0; i < capacity; i++) {
      fragment.put(i, (byte) 0xEE);
    }
    fragment.put(before, bytes, at, length);
    return fragment.limit(before + length).position(before);
  }
}
