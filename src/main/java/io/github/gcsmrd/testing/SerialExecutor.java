// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one after the other, in the order submitted, on the threads of another executor.
 * Thread-safe and lock-free; the state of one stream is confined to one of these.
 */
final class SerialExecutor implements Executor {
  private final Executor executor;
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger();

  private @Nullable Consumer<Throwable> onFailure;

  SerialExecutor(Executor executor) {
    this.executor = executor;
  }

  /** Sets what takes the exceptions of tasks, on the thread of the task; before the first task. */
  void onFailure(Consumer<Throwable> handler) {
    onFailure = handler;
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
        run(task);
      }
    } while (pending.decrementAndGet() > 0);
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      if (onFailure == null) {
        throw e;
      }
      onFailure.accept(e);
    }
  }
}
