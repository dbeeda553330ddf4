// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.cli;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A line every two seconds and one at the end, for logs. Thread-safe. */
final class LineProgress implements Progress {
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final PrintStream err;
  private final String task;
  private final LongSupplier clock;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong lastLine;
  private volatile long total = -1;

  /**
   * Begins without a line.
   *
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  LineProgress(PrintStream err, String task, LongSupplier clock) {
    this.err = err;
    this.task = task;
    this.clock = clock;
    this.lastLine = new AtomicLong(clock.getAsLong());
  }

  @Override
  public void expect(long totalBytes) {
    total = totalBytes;
  }

  @Override
  public void add(long more) {
    long sum = bytes.addAndGet(more);
    if (sum == total) {
      print(sum);
      return;
    }
    long now = clock.getAsLong();
    long last = lastLine.get();
    if (now - last >= INTERVAL_NANOS && lastLine.compareAndSet(last, now)) {
      print(sum);
    }
  }

  private void print(long sum) {
    long most = total;
    String of = most > 0 ? " of " + most + " bytes, " + sum * 100 / most + " %" : " bytes";
    err.println(task + ": " + sum + of);
  }

  @Override
  public void close() {}
}
