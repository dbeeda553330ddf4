// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Carries outcomes from a loop to the callback executor: those of one turn of the loop together, so
 * that a thousand small ranges cost a few hops. Confined to the loop.
 */
final class Completions {
  private static final System.Logger LOG = System.getLogger(Completions.class.getName());

  private final Loop loop;
  private final Executor callbacks;
  private List<Runnable> batch = new ArrayList<>();

  Completions(Loop loop, Executor callbacks) {
    this.loop = loop;
    this.callbacks = callbacks;
  }

  /** Runs a task on the callback executor soon. */
  void add(Runnable completion) {
    assert loop.inLoop();
    batch.add(completion);
    if (batch.size() == 1) {
      loop.execute(this::flush);
    }
  }

  private void flush() {
    List<Runnable> all = batch;
    batch = new ArrayList<>();
    try {
      callbacks.execute(() -> runAll(all));
    } catch (RejectedExecutionException e) {
      // A user's executor was shut down before its client; no future may hang for that.
      Thread rescue = new Thread(() -> runAll(all), "gcs-mrd-rescue");
      rescue.setDaemon(true);
      rescue.start();
    }
  }

  private static void runAll(List<Runnable> all) {
    for (Runnable completion : all) {
      try {
        completion.run();
      } catch (Throwable e) {
        LOG.log(System.Logger.Level.WARNING, "A completion callback threw", e);
      }
    }
  }
}
