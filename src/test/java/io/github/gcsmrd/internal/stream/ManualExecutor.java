// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** An executor whose tasks run when the test says so. Not thread-safe. */
public final class ManualExecutor implements Executor {
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private boolean rejecting;

  @Override
  public void execute(Runnable task) {
    if (rejecting) {
      throw new RejectedExecutionException("shut down by the test");
    }
    tasks.add(task);
  }

  /** Refuses tasks from now on. */
  public void shutDown() {
    rejecting = true;
  }

  /** Runs the oldest task; returns false if there is none. */
  public boolean runOne() {
    Runnable task = tasks.poll();
    if (task == null) {
      return false;
    }
    task.run();
    return true;
  }

  /** Runs all tasks; returns whether there was one. */
  public boolean runAll() {
    boolean ran = false;
    while (runOne()) {
      ran = true;
    }
    return ran;
  }

  /** How many tasks wait. */
  public int size() {
    return tasks.size();
  }
}
