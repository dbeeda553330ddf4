// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A destination whose user code may take its time: chunks wait in a queue and are handed over on
 * the blocking executor, one batch at a time. Confined to the loop but for {@link #run} and {@link
 * #ended}.
 *
 * <p>What waits, and what user code is at, counts against its credit; nothing is asked for beyond
 * that, so a slow destination slows itself alone. The credit is taken from the client's pool before
 * anything is asked for, and goes back as user code is done with the bytes.
 *
 * <p>Invariant: {@code heldBytes <= grantedBytes}; what is granted and not held is asked for.
 */
abstract class QueuedDestination implements Destination {
  /** What a range may have in hand: four chunks of 2 MiB, enough to cover a round trip. */
  static final long CREDIT_BYTES = 8L << 20;

  /**
   * How many messages it may hold: a small share of what a stream may have held before it stops, so
   * that one slow range stops nobody. Smaller chunks that make up the credit are copied beyond it.
   */
  static final int MAX_HELD_MESSAGES = 4;

  private final Executor blocking;
  private final Executor loop;
  private final CreditPool pool;

  /** No more than the range can have: many small ranges must not wait for large credits. */
  private final long fullCreditBytes;

  private final ArrayDeque<ChunkHandle> waiting = new ArrayDeque<>();
  private @Nullable Listener listener;
  private boolean running;
  private long heldBytes;
  private long grantedBytes;
  private boolean waitsForPool;
  private int heldMessages;

  /** Set on the loop, read wherever user code is called. */
  private volatile boolean abandoned;

  /** Calls user code on an executor. */
  QueuedDestination(QueueSettings settings) {
    this.blocking = settings.blocking();
    this.loop = settings.loop();
    this.pool = settings.pool();
    this.fullCreditBytes =
        settings.mostBytes() == QueueSettings.UNLIMITED
            ? CREDIT_BYTES
            : Math.min(CREDIT_BYTES, settings.mostBytes());
  }

  /** How many of the chunks that wait user code may have now. */
  abstract int batchLimit();

  /** So many chunks are on their way to user code. */
  void handedOver(int chunks) {}

  /** Whether chunks may wait as views of received memory. */
  boolean mayHoldMessages() {
    return true;
  }

  /**
   * On the executor: gives chunks to user code, in order, as long as nobody gave up. Sees to it
   * that each is closed or owned by the user, then calls {@link #ended}, once.
   */
  abstract void run(ChunkHandle[] batch);

  @Override
  public final void attach(Listener listener) {
    this.listener = listener;
  }

  @Override
  public long creditBytes() {
    return grantedBytes - heldBytes;
  }

  /**
   * Tops the credit up from the pool. Half of it at least, or none: smaller requests would cost
   * more round trips than they save waiting. Without it, asks to be told of bytes that come back.
   */
  @Override
  public boolean hasCredit() {
    if (abandoned || fullCreditBytes - heldBytes < (fullCreditBytes + 1) / 2) {
      returnUnused();
      return false;
    }
    if (topUp()) {
      return true;
    }
    returnUnused();
    if (waitsForPool) {
      return false;
    }
    waitsForPool = true;
    pool.onReturn(this::poolReturned);
    return topUp();
  }

  private boolean topUp() {
    long missing = fullCreditBytes - grantedBytes;
    if (missing > 0 && !pool.tryTake(missing)) {
      return false;
    }
    grantedBytes += Math.max(0, missing);
    return true;
  }

  @Override
  public final void returnCredit() {
    returnUnused();
  }

  private void returnUnused() {
    long unused = grantedBytes - heldBytes;
    grantedBytes = heldBytes;
    pool.give(unused);
  }

  /** From any thread. */
  private void poolReturned() {
    try {
      loop.execute(
          () -> {
            waitsForPool = false;
            tell().onConsumed();
          });
    } catch (RejectedExecutionException e) {
      // The client is closed: nothing is asked for any more.
    }
  }

  @Override
  public final void deliver(
      long position, long offset, Content content, int from, int length, MessageMemory memory) {
    boolean hold = mayHoldMessages() && heldMessages < MAX_HELD_MESSAGES && tell().mayHold();
    ChunkHandle chunk =
        hold
            ? ChunkHandle.kept(offset, content, from, length, memory)
            : ChunkHandle.copied(offset, content, from, length);
    waiting.add(chunk);
    heldBytes += length;
    if (heldBytes > grantedBytes) {
      // More came than could be asked for: a range that counts from the end goes without a limit.
      pool.take(heldBytes - grantedBytes);
      grantedBytes = heldBytes;
    }
    if (chunk.pinsMessage()) {
      heldMessages++;
      tell().onHeld(1);
    }
    handOver();
  }

  /**
   * Hands what it may to the executor, unless user code is at it.
   *
   * @throws RejectedExecutionException if it was shut down; the chunks are not held any more then
   */
  final void handOver() {
    int count = running ? 0 : Math.min(waiting.size(), batchLimit());
    if (count == 0) {
      return;
    }
    ChunkHandle[] batch = take(count);
    handedOver(count);
    running = true;
    try {
      blocking.execute(() -> run(batch));
    } catch (RejectedExecutionException e) {
      running = false;
      drop(batch);
      throw e;
    }
  }

  private ChunkHandle[] take(int count) {
    ChunkHandle[] batch = new ChunkHandle[count];
    for (int i = 0; i < count; i++) {
      batch[i] = waiting.remove();
    }
    return batch;
  }

  /** From any thread: user code is done with a batch. */
  final void ended(ChunkHandle[] batch, @Nullable Throwable thrown) {
    try {
      loop.execute(() -> settle(batch, thrown));
    } catch (RejectedExecutionException e) {
      // The client is closed: whoever waited for the bytes was told.
      tell().onLoopGone();
    }
  }

  private void settle(ChunkHandle[] batch, @Nullable Throwable thrown) {
    running = false;
    forget(batch);
    Throwable failure = thrown == null ? tryHandOver() : thrown;
    if (failure != null && !abandoned) {
      tell().onFailure(failure);
    } else {
      tell().onConsumed();
    }
  }

  /** User code can take more, now. */
  final void demanded() {
    if (listener == null) {
      return;
    }
    Throwable failure = tryHandOver();
    if (failure == null) {
      tell().onConsumed();
    } else {
      tell().onFailure(failure);
    }
  }

  private @Nullable Throwable tryHandOver() {
    try {
      handOver();
      return null;
    } catch (RejectedExecutionException e) {
      return e;
    }
  }

  private void drop(ChunkHandle[] chunks) {
    for (ChunkHandle chunk : chunks) {
      chunk.close();
    }
    forget(chunks);
  }

  /** Takes chunks off the credit. */
  private void forget(ChunkHandle[] chunks) {
    int pinned = 0;
    long bytes = 0;
    for (ChunkHandle chunk : chunks) {
      bytes += chunk.length();
      pinned += chunk.pinsMessage() ? 1 : 0;
    }
    heldBytes -= bytes;
    grantedBytes -= bytes;
    pool.give(bytes);
    if (pinned > 0) {
      heldMessages -= pinned;
      tell().onHeld(-pinned);
    }
  }

  private Listener tell() {
    Listener told = listener;
    if (told == null) {
      throw new IllegalStateException("no listener is attached");
    }
    return told;
  }

  /** Whether the range was given up: user code must not be called any more. Thread-safe. */
  final boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public final boolean isIdle() {
    return !running && waiting.isEmpty();
  }

  @Override
  public final Optional<ByteBuffer> finish(long lengthBytes) {
    returnUnused();
    return Optional.empty();
  }

  @Override
  public final void abandon() {
    abandoned = true;
    drop(take(waiting.size()));
    returnUnused();
  }
}
