// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** An executor whose tasks run when the test says so. Not thread-safe. */
public final class ManualExecutor implements Executor {
  private final List<Runnable> tasks = new ArrayList<>();
  private Random random;
  private int refusalIn;
  private boolean rejecting;

  @Override
  public void execute(Runnable task) {
    if (rejecting || (refusalIn > 0 && random.nextInt(refusalIn) == 0)) {
      throw new RejectedExecutionException("shut down by the test");
    }
    tasks.add(task);
  }

  /** Refuses tasks from now on. */
  public void shutDown() {
    rejecting = true;
  }

  /** Runs tasks in any order from now on, and refuses one of so many; 0 refuses none. */
  void randomize(Random chance, int refuseOneIn) {
    random = chance;
    refusalIn = refuseOneIn;
  }

  /** Runs the oldest task, or any by chance; returns false if there is none. */
  public boolean runOne() {
    if (tasks.isEmpty()) {
      return false;
    }
    tasks.remove(random == null ? 0 : random.nextInt(tasks.size())).run();
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
