// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What one destination has of its client's pool: granted for what it asked for, and held by what
 * came. Confined to the loop.
 *
 * <p>Invariant: {@code heldBytes <= grantedBytes}; what is granted and not held is asked for, or
 * was taken to be asked for in the same turn of the loop. Whoever waits has nothing granted beyond
 * what it holds.
 */
final class DestinationCredit {
  /** What a range may have in hand: four chunks of 2 MiB, enough to cover a round trip. */
  static final long FULL_BYTES = 8L << 20;

  /** Told on the loop. */
  interface Listener {
    /** There may be some for it now. */
    void returned();

    /** It begins, or ceases, to wait for others while it holds nothing itself. */
    void starved(boolean waits);
  }

  private final CreditPool pool;
  private final Executor loop;
  private final Listener listener;

  /** No more than the range can have: many small ranges must not wait for large credits. */
  private final long fullBytes;

  private long heldBytes;
  private long grantedBytes;
  private CreditPool.@Nullable Waiter waiter;
  private boolean starved;

  DestinationCredit(QueueSettings settings, Listener listener) {
    this.pool = settings.pool();
    this.loop = settings.loop();
    this.listener = listener;
    this.fullBytes =
        settings.mostBytes() == QueueSettings.UNLIMITED
            ? FULL_BYTES
            : Math.min(FULL_BYTES, settings.mostBytes());
  }

  /** What came and is not consumed. */
  long heldBytes() {
    return heldBytes;
  }

  /** What may be asked for. */
  long unusedBytes() {
    return grantedBytes - heldBytes;
  }

  /**
   * Whether asking for more would be worth it: half of the full credit at least is not held;
   * smaller requests would cost more round trips than they save waiting.
   */
  boolean hasRoom() {
    return isWorthIt(fullBytes);
  }

  private boolean isWorthIt(long targetBytes) {
    return targetBytes - heldBytes >= (targetBytes + 1) / 2;
  }

  /** Tops it up from the pool. Without success it has nothing unused, and is told when to retry. */
  boolean take() {
    boolean taken = tryTake();
    if (!taken) {
      returnUnused();
      // Whoever holds something is told when user code is done with that.
      taken = heldBytes == 0 && waitForOthers();
    }
    return taken;
  }

  private boolean waitForOthers() {
    if (waiter == null) {
      waiter = pool.onReturn(fullBytes, this::poolReturned);
    }
    boolean taken = tryTake();
    if (!taken) {
      starved(true);
    }
    return taken;
  }

  private boolean tryTake() {
    long targetBytes = pool.share(fullBytes);
    long missingBytes = targetBytes - grantedBytes;
    while (isWorthIt(targetBytes) && missingBytes > 0 && !pool.tryTake(missingBytes)) {
      long smallerBytes = pool.share(fullBytes);
      if (smallerBytes >= targetBytes) {
        return false;
      }
      // Another loop was quicker: there may be enough for a smaller share.
      targetBytes = smallerBytes;
      missingBytes = targetBytes - grantedBytes;
    }
    if (!isWorthIt(targetBytes)) {
      return false;
    }
    grantedBytes += Math.max(0, missingBytes);
    starved(false);
    return true;
  }

  /** From any thread; returns whether the loop takes notice. */
  private boolean poolReturned() {
    try {
      loop.execute(
          () -> {
            waiter = null;
            listener.returned();
            pool.tellNext();
          });
      return true;
    } catch (RejectedExecutionException loopIsGone) {
      return false;
    }
  }

  /** Nothing is asked for at present: others may have what is not held. */
  void returnUnused() {
    long unused = unusedBytes();
    grantedBytes = heldBytes;
    pool.give(unused);
  }

  /** The range is over: it waits for nothing. */
  void end() {
    returnUnused();
    starved(false);
    CreditPool.Waiter waiting = waiter;
    if (waiting != null) {
      waiter = null;
      waiting.cancel();
    }
  }

  private void starved(boolean waits) {
    if (starved != waits) {
      starved = waits;
      listener.starved(waits);
    }
  }

  /** Bytes came. */
  void hold(long bytes) {
    heldBytes += bytes;
    if (heldBytes > grantedBytes) {
      // No reader asks for more than it was granted; but what is there must be counted.
      pool.take(heldBytes - grantedBytes);
      grantedBytes = heldBytes;
    }
  }

  /** User code is done with bytes. */
  void consumed(long bytes) {
    heldBytes -= bytes;
    grantedBytes -= bytes;
    pool.give(bytes);
  }

  @Override
  public String toString() {
    return "DestinationCredit[" + heldBytes + " held of " + grantedBytes + " bytes granted]";
  }
}
