// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd.interleavings;

import io.github.gcsmrd.ReadHandle;
import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.read.ReadCall;
import io.github.gcsmrd.internal.stream.Loop;
import io.github.gcsmrd.internal.stream.ObjectSession;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/** A session that counts what it is told, and whose loop may be gone. Thread-safe. */
public final class CountingSession implements ObjectSession {
  /** How many calls were submitted. */
  public final AtomicInteger submitted = new AtomicInteger();

  /** How often a range was given up. */
  public final AtomicInteger abandoned = new AtomicInteger();

  private volatile boolean gone;

  @Override
  public void start() {}

  @Override
  public void submit(ReadCall call) {
    check();
    submitted.incrementAndGet();
  }

  @Override
  public void abandon(RangeRead read) {
    check();
    abandoned.incrementAndGet();
  }

  private void check() {
    if (gone) {
      throw new RejectedExecutionException("the loop is gone");
    }
  }

  /** The loop takes nothing any more. */
  @Override
  public void close(String reason) {
    gone = true;
  }

  @Override
  public Optional<ReadHandle> readHandle() {
    return Optional.empty();
  }

  @Override
  public Loop loop() {
    throw new UnsupportedOperationException();
  }
}
