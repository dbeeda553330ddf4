// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads on which a client runs user code: cached daemon threads that end when idle, one for
 * each call that blocks. Thread-safe.
 *
 * <p>Never the common pool, which has one thread on two cores: a callback that blocks would hold up
 * everybody.
 */
final class ClientExecutors {
  private final ExecutorService own;
  private final Executor callbacks;

  /**
   * Makes the threads' pool; no thread starts before it is needed.
   *
   * @param callbacks the user's executor for futures, if there is one
   */
  ClientExecutors(Optional<Executor> callbacks) {
    AtomicInteger count = new AtomicInteger();
    this.own = Executors.newCachedThreadPool(task -> newThread(task, count.incrementAndGet()));
    this.callbacks = callbacks.orElse(own);
  }

  /** Completes futures. */
  Executor callbacks() {
    return callbacks;
  }

  /** Runs sinks, allocators, name look-ups and the work of credentials. */
  Executor blocking() {
    return own;
  }

  /** Lets running tasks end and takes no more. */
  void shutdown() {
    own.shutdown();
  }

  private static Thread newThread(Runnable task, int number) {
    Thread thread = new Thread(task, "gcs-mrd-worker-" + number);
    thread.setDaemon(true);
    return thread;
  }
}
