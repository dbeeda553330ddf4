// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.checksum;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Workers that the test drives: it decides which hash runs when. Not thread-safe. */
public final class ManualWorkers implements Executor {
  private final List<Runnable> tasks = new ArrayList<>();
  private boolean refusing;

  @Override
  public void execute(Runnable task) {
    if (refusing) {
      throw new RejectedExecutionException("shut down by the test");
    }
    tasks.add(task);
  }

  /** Refuses tasks from now on, or no longer. */
  public void refuse(boolean refuse) {
    this.refusing = refuse;
  }

  /** How many tasks came, those that ran too. */
  public int size() {
    return tasks.size();
  }

  /** Runs a task by the order in which it came; nothing happens the second time. */
  public void run(int index) {
    tasks.get(index).run();
  }

  /** Runs every task that did not run. */
  public void runAll() {
    for (int i = 0; i < tasks.size(); i++) {
      run(i);
    }
  }

  /** All orders of so many things. */
  public static List<int[]> orders(int count) {
    List<int[]> orders = new ArrayList<>();
    permute(new int[count], 0, 0, orders);
    return orders;
  }

  private static void permute(int[] chosen, int depth, int used, List<int[]> orders) {
    if (depth == chosen.length) {
      orders.add(chosen.clone());
      return;
    }
    for (int i = 0; i < chosen.length; i++) {
      if ((used >> i & 1) == 0) {
        chosen[depth] = i;
        permute(chosen, depth + 1, used | 1 << i, orders);
      }
    }
  }
}
