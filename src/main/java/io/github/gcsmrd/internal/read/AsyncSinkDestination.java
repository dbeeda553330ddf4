// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.read;

import io.github.gcsmrd.AsyncRangeSink;
import io.github.gcsmrd.Chunk;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A sink that is done with a chunk when the stage it returned completes: until then the chunk is
 * held and no other is handed over. Confined to the loop but for {@link #run}, which is the
 * executor's, and what follows a stage, which is its completer's.
 */
public final class AsyncSinkDestination extends QueuedDestination {
  private final AsyncRangeSink sink;

  /**
   * Calls a sink on an executor.
   *
   * @param sink the user's
   * @param settings how it is called
   */
  public AsyncSinkDestination(AsyncRangeSink sink, QueueSettings settings) {
    super(settings);
    this.sink = sink;
  }

  @Override
  int batchLimit() {
    return 1;
  }

  /**
   * Calls the sink for the one chunk. If the range is given up meanwhile the chunk stays open all
   * the same: whoever completes the stage may be reading it.
   */
  @Override
  void run(ChunkHandle[] batch) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    try {
      if (isAbandoned()) {
        done.complete(null);
      } else {
        accept(batch[0], done);
      }
    } catch (Throwable e) {
      done.completeExceptionally(e);
    }
    var unused = done.whenComplete((nothing, failure) -> done(batch, failure));
  }

  /** Ties a future of our own to the user's stage, which may be of any make. */
  private void accept(Chunk chunk, CompletableFuture<Void> done) throws Exception {
    CompletionStage<?> stage = sink.accept(chunk);
    if (stage == null) {
      throw new UserCodeFault(
          "the sink returned null, not a stage; when it is done with the chunk it returns"
              + " CompletableFuture.completedFuture(null)");
    }
    var unused =
        stage.whenComplete(
            (value, failure) -> {
              if (failure == null) {
                done.complete(null);
              } else {
                done.completeExceptionally(unwrapped(failure));
              }
            });
  }

  private void done(ChunkHandle[] batch, @Nullable Throwable failure) {
    batch[0].close();
    ended(batch, failure);
  }

  /** A stage made of the one that failed wraps its exception; the user's own is wanted. */
  private static Throwable unwrapped(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
