// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The buffers of one received message, with a count of references. Thread-safe.
 *
 * <p>It starts with one reference, owned by whoever received the message. Whoever retains releases,
 * exactly once; the last release frees the buffers, on the thread that does it.
 */
public final class MessageMemory {
  private static final AtomicIntegerFieldUpdater<MessageMemory> REFERENCES =
      AtomicIntegerFieldUpdater.newUpdater(MessageMemory.class, "references");

  private final Runnable free;
  private final int sizeBytes;
  private volatile int references = 1;

  /**
   * Takes over the buffers.
   *
   * @param sizeBytes the message's length
   * @param free releases the buffers; called exactly once
   */
  public MessageMemory(int sizeBytes, Runnable free) {
    this.sizeBytes = sizeBytes;
    this.free = free;
  }

  /**
   * The memory of a copy on the heap: counted like any other, and freed by the collector.
   *
   * @param sizeBytes the copy's length
   */
  public static MessageMemory ofCopy(int sizeBytes) {
    return new MessageMemory(sizeBytes, MessageMemory::leaveToCollector);
  }

  private static void leaveToCollector() {}

  /** The length of the message in bytes. */
  public int sizeBytes() {
    return sizeBytes;
  }

  /**
   * Adds a reference.
   *
   * @throws IllegalStateException if the memory was freed
   */
  public void retain() {
    int seen;
    do {
      seen = references;
      if (seen <= 0) {
        throw new IllegalStateException("message memory is used after its release");
      }
    } while (!REFERENCES.compareAndSet(this, seen, seen + 1));
  }

  /**
   * Drops a reference and frees the memory with the last one.
   *
   * @throws IllegalStateException if there was none left: somebody released twice
   */
  public void release() {
    int left = REFERENCES.decrementAndGet(this);
    if (left == 0) {
      free.run();
    } else if (left < 0) {
      REFERENCES.incrementAndGet(this);
      throw new IllegalStateException("message memory is released more often than retained");
    }
  }

  /** The number of references at this moment: 0 once freed. For tests and diagnostics. */
  public int references() {
    return references;
  }
}
