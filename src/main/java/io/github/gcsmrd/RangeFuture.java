// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import io.github.gcsmrd.internal.read.RangeCompletion;
import io.github.gcsmrd.internal.read.RangeRead;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The future of one range, and who waits for it inside. Thread-safe.
 *
 * <p>Whoever completes it from outside gives the range up: nothing more is asked for or delivered.
 * Outcomes from inside come through {@link RangeCompletion}.
 */
final class RangeFuture extends CompletableFuture<RangeResult> implements RangeCompletion {
  /** Who decides the outcome: the first, and nobody after. */
  private enum Decider {
    NOBODY,
    SESSION,
    USER
  }

  private final Download download;
  private final AtomicReference<Decider> decider = new AtomicReference<>(Decider.NOBODY);

  /** Set once, before anybody else sees the download: what brings its bytes. */
  private List<RangeRead> reads = List.of();

  RangeFuture(Download download) {
    this.download = download;
  }

  void readBy(List<RangeRead> parts) {
    this.reads = parts;
  }

  @Override
  public boolean isAbandoned() {
    return decider.get() == Decider.USER;
  }

  private boolean decide(Decider by) {
    return decider.compareAndSet(Decider.NOBODY, by);
  }

  @Override
  public boolean claim() {
    return decide(Decider.SESSION);
  }

  @Override
  public void succeed(RangeResult result) {
    super.complete(result);
  }

  @Override
  public void fail(Throwable failure) {
    if (decide(Decider.SESSION)) {
      download.noteFailure(failure);
      super.completeExceptionally(failure);
    }
  }

  /** Apart from the outcome: a callback of this range may wait for the whole download. */
  @Override
  public void ended() {
    download.rangeEnded();
  }

  @Override
  public void quiet() {
    download.rangeQuiet();
  }

  @Override
  public boolean complete(@Nullable RangeResult value) {
    return decide(Decider.USER) && giveUp(super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    // Before the decision, or nobody would carry it out.
    Objects.requireNonNull(failure, "failure");
    return decide(Decider.USER) && giveUpWith(failure);
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    if (decide(Decider.USER)) {
      giveUpWith(new CancellationException("the range was cancelled"));
    }
    return isCancelled();
  }

  @Override
  public CompletableFuture<RangeResult> completeAsync(Supplier<? extends RangeResult> supplier) {
    return completeAsync(supplier, defaultExecutor());
  }

  @Override
  public CompletableFuture<RangeResult> completeAsync(
      Supplier<? extends RangeResult> supplier, Executor executor) {
    FromOutside.complete(this, supplier, executor);
    return this;
  }

  @Override
  public void obtrudeValue(@Nullable RangeResult value) {
    throw FromOutside.obtruded();
  }

  @Override
  public void obtrudeException(Throwable failure) {
    throw FromOutside.obtruded();
  }

  /** What the call is told is what the range ended with, whoever ended it. */
  private boolean giveUpWith(Throwable failure) {
    download.noteFailure(failure);
    return giveUp(super.completeExceptionally(failure));
  }

  private boolean giveUp(boolean first) {
    giveUpReads();
    return first;
  }

  /** Nothing more is wanted of what brings its bytes. */
  void giveUpReads() {
    download.giveUp(reads);
  }

  /** Stages made of it are plain futures: completing those gives nothing up. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }
}
