// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.soak;

import io.github.gcsmrd.GcsClient;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Looks at the memory that a client holds, now and then. A thread of its own. */
final class HeldMemory extends Thread {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final GcsClient client;
  private volatile boolean over;
  private volatile long peakBytes;

  HeldMemory(GcsClient client) {
    super("held-memory");
    this.client = client;
    setDaemon(true);
  }

  @Override
  public void run() {
    while (!over) {
      peakBytes = Math.max(peakBytes, client.pinnedBytes());
      LockSupport.parkNanos(PERIOD_NANOS);
    }
  }

  long peakBytes() {
    return peakBytes;
  }

  void end() throws InterruptedException {
    over = true;
    join();
  }
}
