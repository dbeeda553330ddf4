// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The bytes of one range as an array. Thread-safe. */
final class ArrayFuture extends CompletableFuture<byte[]> {
  private ArrayFuture() {}

  /** The array of a range that is read into one; completing it from outside gives the range up. */
  static ArrayFuture of(CompletableFuture<RangeResult> range) {
    ArrayFuture array = new ArrayFuture();
    var unused =
        range.whenComplete(
            (result, failure) -> {
              if (failure != null) {
                array.completeExceptionally(failure);
              } else {
                array.complete(result.buffer().orElseThrow().array());
              }
            });
    // Does nothing if it is the range that ended.
    var unusedToo = array.whenComplete((bytes, failure) -> range.cancel(false));
    return array;
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    return super.completeExceptionally(Objects.requireNonNull(failure, "failure"));
  }

  @Override
  public CompletableFuture<byte[]> completeAsync(Supplier<? extends byte[]> supplier) {
    return completeAsync(supplier, defaultExecutor());
  }

  @Override
  public CompletableFuture<byte[]> completeAsync(
      Supplier<? extends byte[]> supplier, Executor executor) {
    FromOutside.complete(this, supplier, executor);
    return this;
  }

  @Override
  public void obtrudeValue(byte @Nullable [] value) {
    throw FromOutside.obtruded();
  }

  @Override
  public void obtrudeException(Throwable failure) {
    throw FromOutside.obtruded();
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
