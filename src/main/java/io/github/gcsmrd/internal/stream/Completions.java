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
 * with it.
 */
final class Completions {
  /** How long a callback may keep others waiting. */
  static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Loop loop;
  private final Executor callbacks;
  private final List<CompletionBatch> running = new ArrayList<>();
  private List<Runnable> batch = new ArrayList<>();
  private boolean watching;

  Completions(Loop loop, Executor callbacks) {
    this.loop = loop;
    this.callbacks = callbacks;
  }

  /** Runs a task on the callback executor soon, perhaps beside others. */
  void add(Runnable completion) {
    assert loop.inLoop();
    batch.add(completion);
    if (batch.size() == 1) {
      loop.execute(this::flush);
    }
  }

  private void flush() {
    CompletionBatch full = new CompletionBatch(batch);
    batch = new ArrayList<>();
    hand(full);
    if (full.mayHoldUp()) {
      running.add(full);
      watch();
    }
  }

  private void hand(CompletionBatch work) {
    work.handed();
    try {
      callbacks.execute(work);
    } catch (RejectedExecutionException e) {
      // A user's executor was shut down before its client; no future may hang for that.
      Thread rescue = new Thread(work, "gcs-mrd-rescue");
      rescue.setDaemon(true);
      rescue.start();
    }
  }

  private void watch() {
    if (watching) {
      return;
    }
    try {
      loop.schedule(this::look, PATIENCE_NANOS);
      watching = true;
    } catch (RejectedExecutionException e) {
      // The client is closed: the batches go on with the threads they have.
    }
  }

  private void look() {
    watching = false;
    running.removeIf(CompletionBatch::isTaken);
    for (CompletionBatch work : running) {
      if (work.isStuck()) {
        hand(work);
      }
    }
    if (!running.isEmpty()) {
      watch();
    }
  }
}
