// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.wire;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

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

  /**
   * Asked before the memory is held for the first time; null once it may be, and if nothing limits
   * it. Two threads that race may both ask, which does no harm.
   */
  private @Nullable HoldLimit limit;

  private volatile int references = 1;

  /**
   * Takes over buffers that nothing limits.
   *
   * @param sizeBytes the message's length
   * @param free releases the buffers; called exactly once
   */
  public MessageMemory(int sizeBytes, Runnable free) {
    this(sizeBytes, free, null);
  }

  /**
   * Takes over the buffers.
   *
   * @param sizeBytes the message's length
   * @param free releases the buffers; called exactly once
   * @param limit whether they may be held; null if nothing limits that
   */
  public MessageMemory(int sizeBytes, Runnable free, @Nullable HoldLimit limit) {
    this.sizeBytes = sizeBytes;
    this.free = free;
    this.limit = limit;
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
   * Whether a reference may outlive the callback that brought the message. To be asked before it is
   * retained for that; whoever is refused copies what it keeps. Once granted it stays so.
   */
  public boolean mayBeHeld() {
    HoldLimit asked = limit;
    if (asked == null) {
      return true;
    }
    boolean allowed = asked.allows(sizeBytes);
    if (allowed) {
      limit = null;
    }
    return allowed;
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
