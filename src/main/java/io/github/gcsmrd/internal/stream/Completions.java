// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Carries outcomes from a loop to the callback executor: those of one turn of the loop together, so
 * that a thousand small ranges cost a few hops. Confined to the loop.
 *
 * <p>A user's callback may block, even for an outcome that lies behind it in the same batch. So the
 * loop looks after batches that are not through: where one does not move, another thread goes on
 * with it. Once the session has ended the loop may go at any time, and the threads see to that
 * themselves.
 */
final class Completions {
  /** How long a callback may keep others waiting. */
  static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Loop loop;
  private final Executor callbacks;
  private final List<CompletionBatch> running = new ArrayList<>();
  private List<Runnable> batch = new ArrayList<>();
  private boolean watching;
  private boolean loopMayGo;

  Completions(Loop loop, Executor callbacks) {
    this.loop = loop;
    this.callbacks = callbacks;
  }

  /** Runs a task on the callback executor soon, perhaps beside others. */
  void add(Runnable completion) {
    assert loop.inLoop();
    batch.add(completion);
    if (batch.size() > 1) {
      return;
    }
    try {
      loop.execute(this::flush);
    } catch (RejectedExecutionException loopIsGone) {
      // The last turn of a loop that was shut down.
      flush();
    }
  }

  /** The session ended: nothing that is handed over from now on may depend on the loop. */
  void loopMayGo() {
    loopMayGo = true;
    running.forEach(CompletionBatch::relay);
  }

  private void flush() {
    CompletionBatch full = new CompletionBatch(batch, callbacks);
    batch = new ArrayList<>();
    if (loopMayGo) {
      full.relay();
    }
    full.hand();
    if (full.mayHoldUp()) {
      running.add(full);
      watch();
    }
  }

  private void watch() {
    if (watching) {
      return;
    }
    try {
      loop.schedule(this::look, PATIENCE_NANOS);
      watching = true;
    } catch (RejectedExecutionException loopIsGone) {
      running.forEach(CompletionBatch::runIfNobodyDoes);
    }
  }

  private void look() {
    watching = false;
    running.removeIf(CompletionBatch::isTaken);
    for (CompletionBatch work : running) {
      if (work.isStuck()) {
        work.hand();
      }
    }
    if (!running.isEmpty()) {
      watch();
    }
  }
}
