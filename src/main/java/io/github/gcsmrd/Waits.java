// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Bounded waiting that keeps interrupts. Stateless, thread-safe. */
final class Waits {
  private Waits() {}

  /**
   * Waits for a future that ends normally.
   *
   * @return false if it did not end in time, or the thread was interrupted: the flag is set again
   */
  static boolean atMost(CompletableFuture<Void> future, Duration limit) {
    try {
      future.get(limit.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("close failed", e.getCause());
    }
  }
}
