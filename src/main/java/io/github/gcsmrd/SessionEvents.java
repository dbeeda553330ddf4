// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.ReadCall;
import io.github.gcsmrd.internal.stream.ObjectSession;
import io.github.gcsmrd.internal.stream.Session;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** The futures of a session's open and close, and what follows them. Thread-safe. */
final class SessionEvents implements Session.Listener {
  private final String bucket;
  private final String object;
  private final CompletableFuture<ObjectInfo> opened = new CompletableFuture<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  SessionEvents(String bucket, String object) {
    this.bucket = bucket;
    this.object = object;
  }

  /** Runs a task once the session has stopped; at once if it has. */
  void whenStopped(Runnable task) {
    var unused = closed.thenRun(task);
  }

  CompletableFuture<ObjectInfo> opened() {
    return opened;
  }

  @Override
  public void opened(ObjectInfo info) {
    opened.complete(info);
  }

  @Override
  public void openFailed(GcsException failure) {
    opened.completeExceptionally(failure);
  }

  @Override
  public void stopped() {
    closed.complete(null);
  }

  /** Hands a call to its session; if the client's loop is gone, ends it here. */
  void submit(ObjectSession session, ReadCall call) {
    try {
      session.submit(call);
    } catch (RejectedExecutionException loopIsGone) {
      endUnsent(call);
    }
  }

  /** Ends a call that no loop takes any more. */
  void endUnsent(ReadCall call) {
    for (RangeRead read : call.reads()) {
      read.completion().fail(clientClosed(read.range()));
      read.completion().ended();
      read.destination().released();
      read.completion().quiet();
    }
  }

  CompletableFuture<Void> close(ObjectSession session, String reason) {
    try {
      session.close(reason);
    } catch (RejectedExecutionException loopIsGone) {
      opened.completeExceptionally(clientClosed(null));
      closed.complete(null);
    }
    return closed;
  }

  private SessionClosedException clientClosed(@Nullable ByteRange range) {
    return new SessionClosedException(
        "the client was closed",
        new FailureContext(
            bucket,
            object,
            OptionalLong.empty(),
            Optional.ofNullable(range),
            0,
            1,
            Duration.ZERO,
            StatusCode.CANCELLED,
            List.of()),
        null);
  }

  @Override
  public String toString() {
    if (closed.isDone()) {
      return "stopped";
    }
    if (!opened.isDone()) {
      return "opening";
    }
    return opened.isCompletedExceptionally() ? "failed" : "open";
  }
}
