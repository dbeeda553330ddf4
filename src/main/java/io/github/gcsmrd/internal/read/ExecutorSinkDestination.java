// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.RangeSink;
import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A sink that may block: its chunks wait in a queue and are handed over on the blocking executor,
 * one batch at a time. Confined to the loop but for {@link #run}, which is the executor's.
 *
 * <p>What waits, and what the sink is at, counts against its credit; nothing is asked for beyond
 * that, so a slow sink slows itself alone.
 */
public final class ExecutorSinkDestination implements Destination {
  /** What a range may have in hand: four chunks of 2 MiB, enough to cover a round trip. */
  static final long CREDIT_BYTES = 8L << 20;

  private final RangeSink sink;
  private final Executor blocking;
  private final Executor loop;
  private final ArrayDeque<ChunkHandle> waiting = new ArrayDeque<>();
  private @Nullable Listener listener;
  private boolean running;
  private long heldBytes;

  /** Set on the loop, read by the executor between two calls of the sink. */
  private volatile boolean abandoned;

  /**
   * Calls a sink on an executor.
   *
   * @param sink the user's
   * @param blocking runs it
   * @param loop runs what follows, on the loop that confines this
   */
  public ExecutorSinkDestination(RangeSink sink, Executor blocking, Executor loop) {
    this.sink = sink;
    this.blocking = blocking;
    this.loop = loop;
  }

  @Override
  public void attach(Listener listener) {
    this.listener = listener;
  }

  @Override
  public long creditBytes() {
    return CREDIT_BYTES - heldBytes;
  }

  /** Half of it at least: smaller requests would cost more round trips than they save waiting. */
  @Override
  public boolean hasCredit() {
    return creditBytes() >= CREDIT_BYTES / 2;
  }

  @Override
  public void deliver(
      long position, long offset, Content content, int from, int length, MessageMemory memory) {
    ChunkHandle chunk = ChunkHandle.kept(offset, content, from, length, memory);
    waiting.add(chunk);
    heldBytes += length;
    if (chunk.pinsMessage()) {
      tell().onHeld(1);
    }
    if (!running) {
      start();
    }
  }

  /**
   * Hands all that waits to the executor.
   *
   * @throws RejectedExecutionException if it was shut down; nothing is held then
   */
  private void start() {
    ChunkHandle[] batch = waiting.toArray(new ChunkHandle[0]);
    waiting.clear();
    running = true;
    try {
      blocking.execute(() -> run(batch));
    } catch (RejectedExecutionException e) {
      running = false;
      forget(batch, true);
      throw e;
    }
  }

  /** On the executor: calls the sink for each chunk until it throws or is given up. */
  private void run(ChunkHandle[] batch) {
    Throwable failure = null;
    for (ChunkHandle chunk : batch) {
      try (chunk) {
        if (failure == null && !abandoned) {
          sink.accept(chunk);
        }
      } catch (Throwable e) {
        failure = e;
      }
    }
    Throwable thrown = failure;
    try {
      loop.execute(() -> ended(batch, thrown));
    } catch (RejectedExecutionException e) {
      // The client is closed: whoever waited was told, the chunks are closed.
      tell().onLoopGone();
    }
  }

  private void ended(ChunkHandle[] batch, @Nullable Throwable thrown) {
    running = false;
    forget(batch, false);
    Throwable failure = thrown;
    if (failure == null && !waiting.isEmpty()) {
      try {
        start();
      } catch (RejectedExecutionException e) {
        failure = e;
      }
    }
    if (failure != null && !abandoned) {
      tell().onFailure(failure);
    } else {
      tell().onConsumed();
    }
  }

  /** Takes chunks off the credit. */
  private void forget(ChunkHandle[] chunks, boolean close) {
    int pinned = 0;
    for (ChunkHandle chunk : chunks) {
      heldBytes -= chunk.length();
      pinned += chunk.pinsMessage() ? 1 : 0;
      if (close) {
        chunk.close();
      }
    }
    tell().onHeld(-pinned);
  }

  private Listener tell() {
    Listener told = listener;
    if (told == null) {
      throw new IllegalStateException("no listener is attached");
    }
    return told;
  }

  @Override
  public boolean isIdle() {
    return !running && waiting.isEmpty();
  }

  @Override
  public Optional<ByteBuffer> finish(long lengthBytes) {
    return Optional.empty();
  }

  @Override
  public void abandon() {
    abandoned = true;
    ChunkHandle[] dropped = waiting.toArray(new ChunkHandle[0]);
    waiting.clear();
    forget(dropped, true);
  }
}
