// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.testing;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Where streams are answered: the user's executor, or daemon threads of the server's own.
 * Thread-safe.
 */
final class AnsweringThreads {
  private static final int THREADS = 2;
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

  private final TrackedThreads threads = new TrackedThreads("fake-gcs");
  private final Optional<ExecutorService> own;
  private final Executor executor;

  AnsweringThreads(Optional<Executor> given) {
    own =
        given.isPresent()
            ? Optional.empty()
            : Optional.of(Executors.newFixedThreadPool(THREADS, threads));
    executor = given.or(() -> own).orElseThrow();
  }

  Executor executor() {
    return executor;
  }

  /** Lets the server's own threads end. */
  void shutDown() {
    own.ifPresent(ExecutorService::shutdownNow);
  }

  /** Ends the server's own threads and waits for them. */
  void close() throws InterruptedException {
    shutDown();
    threads.join(CLOSE_WAIT);
  }
}
