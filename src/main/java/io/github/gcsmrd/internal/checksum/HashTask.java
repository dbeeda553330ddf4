// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.checksum;

import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The hash of one chunk on a worker. Thread-safe: it is cancelled on the loop and run on a worker.
 *
 * <pre>
 *   QUEUED ── run ──▶ RUNNING ──▶ ENDED, told on the loop
 *      └──── cancel ─▶ CANCELLED
 * </pre>
 *
 * It owns a reference to the message's memory from its making on, which is released exactly once:
 * by the worker at the end of the run, or by whoever cancelled it before that began. A cancel in
 * the middle of a run does nothing, so memory under a running hash is never freed.
 */
public final class HashTask extends AtomicInteger implements Runnable {
  private static final long serialVersionUID = 1L;

  private static final int QUEUED = 0;
  private static final int RUNNING = 1;
  private static final int ENDED = 2;
  private static final int CANCELLED = 3;

  private static final ThreadLocal<ChunkHasher> HASHERS = ThreadLocal.withInitial(ChunkHasher::new);

  private final transient Content content;
  private final transient MessageMemory memory;
  private final transient Executor loop;
  private final transient Runnable ended;

  /** Written by the worker before the state becomes ENDED, read on the loop after. */
  private int crc32c;

  private transient @Nullable Throwable failure;

  HashTask(Content content, MessageMemory memory, Executor loop, Runnable ended) {
    super(QUEUED);
    this.content = content;
    this.memory = memory;
    this.loop = loop;
    this.ended = ended;
    memory.retain();
  }

  /** On a worker: hashes, releases, tells the loop. Does nothing if it was cancelled. */
  @Override
  public void run() {
    if (!compareAndSet(QUEUED, RUNNING)) {
      return;
    }
    try {
      crc32c = HASHERS.get().hashShared(content);
    } catch (Throwable thrown) {
      failure = thrown;
    } finally {
      memory.release();
    }
    set(ENDED);
    try {
      loop.execute(ended);
    } catch (RejectedExecutionException loopIsGone) {
      // The client is closed, and with it whoever waited.
    }
  }

  /** Takes it out before it starts; a run that began goes on, and its result is to be ignored. */
  public void cancel() {
    if (compareAndSet(QUEUED, CANCELLED)) {
      memory.release();
    }
  }

  /** Whether the result is there. */
  public boolean isEnded() {
    return get() == ENDED;
  }

  /** The CRC32C, once ended without a failure. */
  public int crc32c() {
    return crc32c;
  }

  /** What went wrong on the worker, if anything did. */
  public @Nullable Throwable failure() {
    return failure;
  }

  @Override
  public String toString() {
    return "HashTask[" + content.length() + " bytes, state " + get() + "]";
  }
}
