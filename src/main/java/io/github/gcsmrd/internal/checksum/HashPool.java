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
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The two threads on which a client's large chunks may be hashed. Thread-safe; no thread exists
 * before the first chunk.
 */
public final class HashPool {
  /** Enough to hash faster than a loop receives; more would only take its cores. */
  static final int THREADS = 2;

  private static final int IDLE_SECONDS = 10;

  private static final ThreadLocal<ChunkHasher> HASHERS = ThreadLocal.withInitial(ChunkHasher::new);

  private final Executor workers;
  private final ToIntFunction<Content> hash;
  private final Runnable shutdown;

  /** A pool of daemon threads. */
  public HashPool() {
    this(HashPool::hash);
  }

  /** Threads that hash in another way, for tests of when they live. */
  HashPool(ToIntFunction<Content> hash) {
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
    this.hash = hash;
    this.shutdown = pool::shutdown;
  }

  /**
   * A pool over another executor, for tests that decide which hash ends when.
   *
   * @param workers runs the tasks, or refuses
   */
  public HashPool(Executor workers) {
    this(workers, HashPool::hash);
  }

  /**
   * A pool that hashes in another way, for tests of workers that fail.
   *
   * @param workers runs the tasks, or refuses
   * @param hash called by them
   */
  public HashPool(Executor workers, ToIntFunction<Content> hash) {
    this.workers = workers;
    this.hash = hash;
    this.shutdown = () -> {};
  }

  private static int hash(Content content) {
    return HASHERS.get().hashShared(content);
  }

  /**
   * Hands a chunk to a worker.
   *
   * @param content hashed whole
   * @param memory what it lies in; the task retains it
   * @param listener told on the worker, perhaps before this returns
   * @return the task, or null if the pool refuses (closed, or out of threads): hash inline then
   */
  public @Nullable HashTask trySubmit(
      Content content, MessageMemory memory, HashTask.Listener listener) {
    HashTask task = new HashTask(content, memory, hash, listener);
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
