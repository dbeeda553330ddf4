// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.transport;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Closes a {@link ClientTransport}: channels first, since the ends of their calls are told on the
 * loops, then the loops. Thread-safe and idempotent.
 */
final class TransportCloser {
  private static final System.Logger LOG = System.getLogger(TransportCloser.class.getName());

  /** Enough to cancel what is left, and for idle threads to exit: neither waits for a server. */
  private static final long CANCEL_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final EventLoops loops;
  private final OpenChannels channels;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  /**
   * Closes nothing yet.
   *
   * @param loops the loops
   * @param channels the channels on them
   */
  TransportCloser(EventLoops loops, OpenChannels channels) {
    this.loops = loops;
    this.channels = channels;
  }

  CompletableFuture<Void> closeAsync(Duration wait) {
    begin(wait);
    return closed.copy();
  }

  /** Begins to close; only the first caller's wait counts. */
  void begin(Duration wait) {
    if (begun.compareAndSet(false, true)) {
      // A thread of its own: the executor of the client may be the user's, and full.
      Thread thread = new Thread(() -> run(wait), "gcs-mrd-close");
      thread.setDaemon(true);
      thread.start();
    }
  }

  void close(Duration wait) {
    CompletableFuture<Void> end = closeAsync(wait);
    if (loops.inAnyLoop()) {
      return;
    }
    try {
      end.get();
    } catch (InterruptedException interrupted) {
      channels.shutdownNow();
      Thread.currentThread().interrupt();
    } catch (ExecutionException failed) {
      throw new IllegalStateException("the transport could not be closed", failed.getCause());
    }
  }

  private void run(Duration wait) {
    try {
      channels.shutdown();
      if (!channels.awaitTermination(wait.toNanos())) {
        channels.shutdownNow();
        channels.awaitTermination(CANCEL_WAIT_NANOS);
      }
      if (!loops.shutdown(CANCEL_WAIT_NANOS)) {
        LOG.log(Level.WARNING, "an event loop is still busy after the close");
      }
      closed.complete(null);
    } catch (InterruptedException | RuntimeException failure) {
      closed.completeExceptionally(failure);
    }
  }
}
