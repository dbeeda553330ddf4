// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that all destinations of a client together may have asked for or hold while user code
 * takes its time. Thread-safe: sessions on different loops share it.
 *
 * <p>A share is at most half of what is free, so that those who came first and stand still leave
 * something for those who come later; a quarter of the pool is for the smallest shares alone, which
 * lets some thousand ranges go on, slowly, beside any number that stand still. Nobody keeps a part
 * and waits for more, so the pool can't be split up among those who wait.
 */
public final class CreditPool {
  /** The smallest share: a round trip for less would be a waste. */
  static final long LEAST_SHARE_BYTES = 64 << 10;

  /** Of those who gave up, so many are kept before they are looked for. */
  private static final int MAX_DEAD = 100;

  /** Whoever waits, and for how many bytes, until it is told or gives up. Thread-safe. */
  final class Waiter {
    private final long neededBytes;
    private final AtomicReference<@Nullable BooleanSupplier> task;

    private Waiter(long neededBytes, BooleanSupplier task) {
      this.neededBytes = neededBytes;
      this.task = new AtomicReference<>(task);
    }

    private boolean tell() {
      BooleanSupplier told = task.getAndSet(null);
      return told != null && told.getAsBoolean();
    }

    private boolean isDead() {
      return task.get() == null;
    }

    /** It waits no more; nothing of it is kept. */
    void cancel() {
      if (task.getAndSet(null) == null) {
        return;
      }
      if (dead.incrementAndGet() > MAX_DEAD) {
        dead.set(0);
        waiting.removeIf(Waiter::isDead);
      }
      // It may have stood before one that needs less.
      tellNext();
    }
  }

  private final long bytes;
  private final long reserveBytes;
  private final AtomicLong freeBytes;
  private final ConcurrentLinkedQueue<Waiter> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger dead = new AtomicInteger();

  /**
   * A full pool.
   *
   * @param bytes its size
   */
  public CreditPool(long bytes) {
    this.bytes = bytes;
    this.reserveBytes = bytes / 4;
    this.freeBytes = new AtomicLong(bytes);
  }

  /** How many of the wanted bytes a destination may have now, if that many are free. */
  long share(long wantedBytes) {
    long large = (freeBytes.get() - reserveBytes) / 2;
    return Math.min(wantedBytes, Math.max(large, LEAST_SHARE_BYTES));
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
  public void take(long bytes) {
    freeBytes.addAndGet(-bytes);
  }

  /** Gives bytes back, and tells the one who has waited longest. */
  public void give(long bytes) {
    if (bytes > 0) {
      freeBytes.addAndGet(bytes);
      tellNext();
    }
  }

  /**
   * Tells the next one who waits that there is enough for it, if there is. Whoever was told calls
   * this after it has looked, so that what it leaves finds a taker.
   */
  void tellNext() {
    boolean told = false;
    while (!told) {
      Waiter head = waiting.peek();
      if (head == null || (!head.isDead() && freeBytes.get() < head.neededBytes)) {
        return;
      }
      // Another thread may have told that one: the next may be told too early, and waits again.
      Waiter next = waiting.poll();
      told = next != null && next.tell();
    }
  }

  /**
   * Has a task run once so many bytes are free, on the thread that returns the last of them: it
   * must hop. Try once more after this, since bytes may have come back just before.
   *
   * @param wantedBytes what the task is for; the smallest share of it is waited for
   * @param task false if it came too late, and the next should be told
   * @return to give up with
   */
  Waiter onReturn(long wantedBytes, BooleanSupplier task) {
    Waiter waiter = new Waiter(Math.min(wantedBytes, LEAST_SHARE_BYTES), task);
    waiting.add(waiter);
    return waiter;
  }

  /** What is free now, for tests and diagnostics; negative if the pool owes some. */
  public long freeBytes() {
    return freeBytes.get();
  }

  /** How many wait, and some who gave up, for tests and diagnostics. */
  public int waiting() {
    return waiting.size();
  }

  /** Its size. */
  public long bytes() {
    return bytes;
  }

  @Override
  public String toString() {
    return "CreditPool[" + freeBytes + " of " + bytes + " bytes free, " + waiting.size() + " wait]";
  }
}
