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
 * that, so a slow destination slows itself alone. The credit is taken from the client's pool as a
 * part of the range is asked for, and goes back as user code is done with the bytes.
 */
abstract class QueuedDestination implements Destination, DestinationCredit.Listener {
  /**
   * How many messages it may hold: a small share of what a stream may have held before it stops, so
   * that one slow range stops nobody. Smaller chunks that make up the credit are copied beyond it.
   */
  static final int MAX_HELD_MESSAGES = 4;

  private final Executor blocking;
  private final Executor loop;
  private final DestinationCredit credit;
  private final ArrayDeque<ChunkHandle> waiting = new ArrayDeque<>();
  private @Nullable Listener listener;
  private boolean running;
  private int heldMessages;

  /** Set on the loop, read wherever user code is called. */
  private volatile boolean abandoned;

  /** Calls user code on an executor. */
  QueuedDestination(QueueSettings settings) {
    this.blocking = settings.blocking();
    this.loop = settings.loop();
    this.credit = new DestinationCredit(settings, this);
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

  /** User code comes back to the loop it started from. */
  @Override
  public final boolean isMovable() {
    return false;
  }

  @Override
  public final long creditBytes() {
    return credit.unusedBytes();
  }

  @Override
  public boolean hasDemand() {
    return !abandoned && credit.hasRoom();
  }

  @Override
  public final boolean takeCredit() {
    return credit.take();
  }

  @Override
  public final void returnCredit() {
    credit.returnUnused();
  }

  @Override
  public final void returned() {
    tell().onConsumed();
  }

  @Override
  public final void starved(boolean waits) {
    tell().onStarved(waits);
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
    credit.hold(length);
    if (chunk.pinsMessage()) {
      heldMessages++;
      tell().onHeld(1);
    }
    handOver();
  }

  /**
   * Hands what it may to the executor, unless user code is at it.
   *
   * <p>Whatever it throws (a refusal, or that no thread can be made) goes on to the caller; the
   * chunks are not held any more then.
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
    } catch (RuntimeException | Error refused) {
      running = false;
      drop(batch);
      throw refused;
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
    } catch (RuntimeException | Error refused) {
      return refused;
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
    credit.consumed(bytes);
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
  public final long waitingBytes() {
    return credit.heldBytes();
  }

  @Override
  public final boolean isIdle() {
    return !running && waiting.isEmpty();
  }

  @Override
  public final Optional<ByteBuffer> finish(long lengthBytes) {
    credit.end();
    return Optional.empty();
  }

  @Override
  public final void abandon() {
    abandoned = true;
    drop(take(waiting.size()));
    credit.end();
  }
}
