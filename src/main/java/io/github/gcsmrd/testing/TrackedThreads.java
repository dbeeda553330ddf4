// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Makes daemon threads and can wait for their end: a pool says that it's terminated a little before
 * its threads are. Thread-safe.
 */
final class TrackedThreads extends DefaultThreadFactory {
  private final Queue<Thread> made = new ConcurrentLinkedQueue<>();

  TrackedThreads(String name) {
    super(name, true);
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = super.newThread(task);
    made.add(thread);
    return thread;
  }

  /** Waits for the end of all threads but the caller's, for each as long as given at most. */
  void join(Duration timeout) throws InterruptedException {
    for (Thread thread : made) {
      if (thread != Thread.currentThread()) {
        thread.join(timeout.toMillis());
      }
    }
  }
}
