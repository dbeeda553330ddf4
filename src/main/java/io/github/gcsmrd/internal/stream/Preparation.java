// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.internal.stream;

import io.github.gcsmrd.internal.read.Destination;
import io.github.gcsmrd.internal.read.RangeFailure;
import io.github.gcsmrd.internal.read.RangeRead;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes room in destinations that must know the length first: by user code, off the loop. Confined
 * to the loop where that isn't said otherwise.
 */
final class Preparation {
  private final Loop loop;
  private final Executor blocking;
  private final LiveReads reads;
  private final ObjectPin pin;
  private final Consumer<RangeRead> ready;

  /**
   * Nothing is being prepared.
   *
   * @param blocking runs user code
   * @param ready takes ranges whose destination is ready
   */
  Preparation(
      Loop loop, Executor blocking, LiveReads reads, ObjectPin pin, Consumer<RangeRead> ready) {
    this.loop = loop;
    this.blocking = blocking;
    this.reads = reads;
    this.pin = pin;
    this.ready = ready;
  }

  /** Prepares a destination; the range fails if its length can't be known. */
  void begin(RangeRead read) {
    read.become(RangeRead.State.PREPARING);
    long lengthBytes = read.position().lengthIn(pin.info().sizeBytes());
    if (lengthBytes < 0) {
      reads.failInTurn(read, new RangeFailure.LengthUnknown());
      return;
    }
    Destination destination = read.destination();
    reads.userCodeStarts(read);
    try {
      blocking.execute(() -> prepare(read, destination, lengthBytes));
    } catch (RuntimeException | Error refused) {
      prepared(read, refused);
    }
  }

  /** On the blocking executor. */
  private void prepare(RangeRead read, Destination destination, long lengthBytes) {
    Throwable thrown = null;
    try {
      destination.prepare(lengthBytes);
    } catch (Throwable e) {
      thrown = e;
    }
    Throwable outcome = thrown;
    try {
      loop.execute(() -> prepared(read, outcome));
    } catch (RejectedExecutionException loopIsGone) {
      // The range failed before its loop went, but waits for this to become quiet.
      read.tellQuiet();
    }
  }

  private void prepared(RangeRead read, @Nullable Throwable thrown) {
    reads.userCodeEnded(read);
    if (read.isDone() || read.state() == RangeRead.State.FAILING) {
      return;
    }
    if (thrown != null) {
      reads.failInTurn(read, new RangeFailure.UserCode(thrown));
    } else {
      ready.accept(read);
    }
  }
}
