// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * How much memory may be pinned before received messages are held no more. Thread-safe: one for all
 * loops of a client, and for the threads that retain chunks.
 *
 * <p>What counts is what the client's allocator says is pinned, not the length of the messages: a
 * message pins the whole of each buffer that it has a part of, and how full those are is up to the
 * network. A message that asks is received, and so counted already; hence, whatever is held, no
 * more than the limit was pinned when it was allowed. Nothing is given back here: what is freed
 * ceases to be pinned.
 *
 * <p>To look is dearer than to count. So each look that finds room allows some more bytes without
 * one: a share of the room so small that it fits even where a message pins many times its length.
 */
public final class HoldLimit {
  /** A receive buffer of 1 MiB, pinned by each held chunk of 64 KiB. */
  static final int MOST_PINNED_PER_BYTE = 16;

  private final long limitBytes;
  private final LongSupplier pinnedBytes;
  private final ReentrantLock granting = new ReentrantLock();

  /** Message bytes that may be held without a look; falls with each, and is set by a look only. */
  private final AtomicLong grantedBytes = new AtomicLong();

  /**
   * Nothing is looked at yet.
   *
   * @param limitBytes how much may be pinned for a message to be held
   * @param pinnedBytes tells how much is; called by any thread
   */
  public HoldLimit(long limitBytes, LongSupplier pinnedBytes) {
    this.limitBytes = limitBytes;
    this.pinnedBytes = pinnedBytes;
  }

  /** Whether a received message of so many bytes may be held. Never blocks. */
  boolean allows(int bytes) {
    long seen = grantedBytes.get();
    if (seen >= bytes && grantedBytes.compareAndSet(seen, seen - bytes)) {
      return true;
    }
    return look();
  }

  private boolean look() {
    // One at a time grants: what another one saw earlier must not be granted later.
    if (!granting.tryLock()) {
      return roomBytes() >= 0;
    }
    try {
      long room = roomBytes();
      grantedBytes.set(Math.max(0, room) / MOST_PINNED_PER_BYTE);
      return room >= 0;
    } finally {
      granting.unlock();
    }
  }

  private long roomBytes() {
    return limitBytes - pinnedBytes.getAsLong();
  }

  @Override
  public String toString() {
    return "HoldLimit[" + pinnedBytes.getAsLong() + " of " + limitBytes + " bytes pinned]";
  }
}
