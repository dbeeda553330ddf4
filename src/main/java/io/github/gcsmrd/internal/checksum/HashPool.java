// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.checksum;

import io.github.gcsmrd.internal.wire.Content;
import io.github.gcsmrd.internal.wire.MessageMemory;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The two threads on which a client's large chunks may be hashed. Thread-safe; no thread exists
 * before the first chunk.
 */
public final class HashPool {
  /** Enough to hash faster than a loop receives; more would only take its cores. */
  static final int THREADS = 2;

  private static final int IDLE_SECONDS = 10;

  private final Executor workers;
  private final Runnable shutdown;

  /** A pool of daemon threads. */
  public HashPool() {
    AtomicInteger count = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "gcs-mrd-crc32c-" + count.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    this.workers = pool;
    this.shutdown = pool::shutdown;
  }

  /**
   * A pool over another executor, for tests that decide which hash ends when.
   *
   * @param workers runs the tasks, or refuses
   */
  public HashPool(Executor workers) {
    this.workers = workers;
    this.shutdown = () -> {};
  }

  /**
   * Hands a chunk to a worker.
   *
   * @param content hashed whole
   * @param memory what it lies in; the task retains it
   * @param loop where the end is told
   * @param ended runs there once the task has ended
   * @return the task, or null if the pool refuses (closed, or out of threads): hash inline then
   */
  public @Nullable HashTask trySubmit(
      Content content, MessageMemory memory, Executor loop, Runnable ended) {
    HashTask task = new HashTask(content, memory, loop, ended);
    try {
      workers.execute(task);
      return task;
    } catch (RejectedExecutionException | OutOfMemoryError refused) {
      // No thread could be made, or no more are wanted.
      task.cancel();
      return null;
    }
  }

  /** Takes no more chunks; those taken are hashed. */
  public void close() {
    shutdown.run();
  }
}
