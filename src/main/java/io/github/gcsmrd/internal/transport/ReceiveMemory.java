// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import io.grpc.netty.shaded.io.netty.buffer.PooledByteBufAllocator;

/** Makes the allocator of a client's received messages. Stateless and thread-safe. */
final class ReceiveMemory {
  private static final int PAGE_BYTES = 8 << 10;

  /** Chunks of 8 KiB × 2^9 = 4 MiB: a few receive buffers each, so that idle ones can be freed. */
  private static final int MAX_ORDER = 9;

  private static final int SMALL_CACHE_ENTRIES = 256;
  private static final int NORMAL_CACHE_ENTRIES = 64;

  private ReceiveMemory() {}

  /**
   * One arena for each loop, since only loops allocate; and caches for the loops' threads alone: a
   * buffer that another thread releases goes straight back to its arena.
   */
  static PooledByteBufAllocator newAllocator(int loops) {
    return new PooledByteBufAllocator(
        true, 1, loops, PAGE_BYTES, MAX_ORDER, SMALL_CACHE_ENTRIES, NORMAL_CACHE_ENTRIES, false);
  }
}
