// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that all destinations of a client together may have asked for or hold while user code
 * takes its time. Thread-safe: sessions on different loops share it.
 *
 * <p>Nobody keeps a part and waits for more, so the pool can't be split up among those who wait.
 */
public final class CreditPool {
  private final AtomicLong freeBytes;
  private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();

  /**
   * A full pool.
   *
   * @param bytes its size
   */
  public CreditPool(long bytes) {
    this.freeBytes = new AtomicLong(bytes);
  }

  /** Takes all of so many bytes, or nothing. */
  boolean tryTake(long bytes) {
    long seen = freeBytes.get();
    while (seen >= bytes) {
      if (freeBytes.compareAndSet(seen, seen - bytes)) {
        return true;
      }
      seen = freeBytes.get();
    }
    return false;
  }

  /** Takes bytes that are there already; the pool may owe some after that. */
  void take(long bytes) {
    freeBytes.addAndGet(-bytes);
  }

  /** Gives bytes back, and tells everybody who waits. */
  void give(long bytes) {
    if (bytes == 0) {
      return;
    }
    freeBytes.addAndGet(bytes);
    for (Runnable waiter = waiting.poll(); waiter != null; waiter = waiting.poll()) {
      waiter.run();
    }
  }

  /**
   * Runs a task after the next return of bytes, on the thread that returns them: it must hop. Try
   * once more after this, since bytes may have come back just before.
   */
  void onReturn(Runnable task) {
    waiting.add(task);
  }

  /** What is free now, for tests and diagnostics; negative if the pool owes some. */
  public long freeBytes() {
    return freeBytes.get();
  }

  @Override
  public String toString() {
    return "CreditPool[" + freeBytes + " bytes free, " + waiting.size() + " wait]";
  }
}
