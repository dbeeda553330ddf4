// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * A loop on the test's own thread: tasks run when the test says so, time passes when it says so.
 * Not thread-safe.
 */
public final class FakeLoop implements Loop {
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final List<Scheduled> timers = new ArrayList<>();

  /** Wraps around after a second, as the clock of a machine may. */
  private long nowNanos = Long.MAX_VALUE - 1_000_000_000L;

  private boolean running;
  private boolean shutDown;

  private final class Scheduled implements Timer {
    private final Runnable task;
    private final long dueNanos;

    Scheduled(Runnable task, long dueNanos) {
      this.task = task;
      this.dueNanos = dueNanos;
    }

    @Override
    public void cancel() {
      timers.remove(this);
    }
  }

  @Override
  public boolean inLoop() {
    return running;
  }

  @Override
  public void execute(Runnable task) {
    if (shutDown) {
      throw new RejectedExecutionException("the loop was shut down");
    }
    tasks.add(task);
  }

  @Override
  public Timer schedule(Runnable task, long delayNanos) {
    if (shutDown) {
      throw new RejectedExecutionException("the loop was shut down");
    }
    Scheduled timer = new Scheduled(task, nowNanos + delayNanos);
    timers.add(timer);
    return timer;
  }

  @Override
  public long now() {
    return nowNanos;
  }

  /** Runs one task; returns false if there is none. */
  boolean runOne() {
    Runnable task = tasks.poll();
    if (task == null) {
      return false;
    }
    run(task);
    return true;
  }

  /** Runs all tasks, those too that they submit. */
  public void runTasks() {
    while (runOne()) {
      // Until there is none.
    }
  }

  /** Runs something on the loop now, before what waits. */
  void run(Runnable task) {
    if (running) {
      task.run();
      return;
    }
    running = true;
    try {
      task.run();
    } finally {
      running = false;
    }
  }

  /** Lets time pass: timers run when they are due, tasks after each. */
  public void advance(Duration duration) {
    long end = nowNanos + duration.toNanos();
    runTasks();
    for (Scheduled next = earliest(end); next != null; next = earliest(end)) {
      if (next.dueNanos - nowNanos > 0) {
        nowNanos = next.dueNanos;
      }
      timers.remove(next);
      run(next.task);
      runTasks();
    }
    nowNanos = end;
  }

  private Scheduled earliest(long endNanos) {
    Scheduled earliest = null;
    for (Scheduled timer : timers) {
      boolean due = timer.dueNanos - endNanos <= 0;
      if (due && (earliest == null || timer.dueNanos - earliest.dueNanos < 0)) {
        earliest = timer;
      }
    }
    return earliest;
  }

  /** The delays of the timers that are set. */
  List<Duration> timers() {
    List<Duration> delays = new ArrayList<>();
    for (Scheduled timer : timers) {
      delays.add(Duration.ofNanos(timer.dueNanos - nowNanos));
    }
    return delays;
  }

  /** Takes no more tasks. */
  public void shutDown() {
    shutDown = true;
  }

  /** Nothing is left to do, once the look after completed batches has found them done. */
  public void assertNoMoreTasks() {
    advance(Duration.ofNanos(Completions.PATIENCE_NANOS));
    assertEquals(0, tasks.size(), "tasks left on the loop");
    assertEquals(List.of(), timers(), "timers left on the loop");
  }
}
