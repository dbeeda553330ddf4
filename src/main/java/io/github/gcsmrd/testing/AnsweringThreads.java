// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where streams are answered: the user's executor, or daemon threads of the server's own.
 * Thread-safe.
 *
 * @param executor runs the answers
 * @param own the executor if it is to be shut down with the server
 */
record AnsweringThreads(Executor executor, Optional<ExecutorService> own) {
  private static final int THREADS = 2;
  private static final long CLOSE_SECONDS = 5;

  static AnsweringThreads of(Optional<Executor> given) {
    return given
        .map(executor -> new AnsweringThreads(executor, Optional.empty()))
        .orElseGet(AnsweringThreads::start);
  }

  private static AnsweringThreads start() {
    AtomicInteger count = new AtomicInteger();
    ExecutorService threads =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "fake-gcs-" + count.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    return new AnsweringThreads(threads, Optional.of(threads));
  }

  /** Ends the server's own threads and waits for them. */
  void close() throws InterruptedException {
    if (own.isPresent()) {
      own.get().shutdownNow();
      own.get().awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
  }
}
