// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.RangeSink;
import java.util.concurrent.Executor;

/**
 * A sink that may block: called on the blocking executor for all that waits, chunk by chunk.
 * Confined to the loop but for {@link #run}, which is the executor's.
 */
public final class ExecutorSinkDestination extends QueuedDestination {
  private final RangeSink sink;

  /**
   * Calls a sink on an executor.
   *
   * @param sink the user's
   * @param blocking runs it
   * @param loop runs what follows, on the loop that confines this
   */
  public ExecutorSinkDestination(RangeSink sink, Executor blocking, Executor loop) {
    super(blocking, loop);
    this.sink = sink;
  }

  @Override
  int batchLimit() {
    return Integer.MAX_VALUE;
  }

  /** Calls the sink for each chunk until it throws or is given up. */
  @Override
  void run(ChunkHandle[] batch) {
    Throwable failure = null;
    for (ChunkHandle chunk : batch) {
      try (chunk) {
        if (failure == null && !isAbandoned()) {
          sink.accept(chunk);
        }
      } catch (Throwable e) {
        failure = e;
      }
    }
    ended(batch, failure);
  }
}
