// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

/**
 * The event loop that confines a session or a stream, with its clock. Thread-safe; {@link #now}
 * too.
 *
 * <p>The seam for tests: a fake loop runs tasks on one thread and moves the clock by hand.
 */
public interface Loop {

  /** Whether the caller runs on this loop. */
  boolean inLoop();

  /**
   * Runs a task on the loop, after those submitted before it.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the loop was shut down
   */
  void execute(Runnable task);

  /**
   * Runs a task on the loop after a delay.
   *
   * @param delayNanos the delay in nanoseconds, 0 or more
   * @return the handle that cancels it; cancelling a task that ran does nothing
   */
  Timer schedule(Runnable task, long delayNanos);

  /** The time in nanoseconds, from an arbitrary origin: compare differences only. */
  long now();

  /** A scheduled task. */
  @FunctionalInterface
  interface Timer {
    /** Cancels the task if it did not run; on the loop only. */
    void cancel();
  }
}
