// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * What callers do to our futures. Stateless, thread-safe.
 *
 * <p>{@link CompletableFuture} completes itself in some of its methods without a call of {@code
 * complete}, where our futures notice that they are given up: those methods are here.
 */
final class FromOutside {
  private FromOutside() {}

  /** Completes a future by its own methods, with what a supplier gives or throws. */
  static <T> void complete(
      CompletableFuture<T> future, Supplier<? extends T> supplier, Executor executor) {
    Objects.requireNonNull(supplier, "supplier");
    Objects.requireNonNull(executor, "executor");
    executor.execute(
        () -> {
          if (future.isDone()) {
            return;
          }
          try {
            future.complete(supplier.get());
          } catch (Throwable thrown) {
            future.completeExceptionally(thrown);
          }
        });
  }

  /** Refuses to replace an outcome. */
  static UnsupportedOperationException obtruded() {
    return new UnsupportedOperationException(
        "an outcome can't be replaced; complete() or cancel() give up what is not done yet");
  }
}
