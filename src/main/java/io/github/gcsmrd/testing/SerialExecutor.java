// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks one after the other, in the order submitted, on the threads of another executor.
 * Thread-safe and lock-free; the state of one stream is confined to one of these.
 */
final class SerialExecutor implements Executor {
  private final Executor executor;
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger();

  SerialExecutor(Executor executor) {
    this.executor = executor;
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (pending.getAndIncrement() == 0) {
      start();
    }
  }

  private void start() {
    try {
      executor.execute(this::drain);
    } catch (RejectedExecutionException e) {
      tasks.clear(); // The server was closed; its streams are gone.
    }
  }

  private void drain() {
    do {
      Runnable task = tasks.poll();
      if (task != null) {
        task.run();
      }
    } while (pending.decrementAndGet() > 0);
  }
}
