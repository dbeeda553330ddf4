// SPDX-License-Identifier: Apache-2.0
// Copyright 2026 The gcs-mrd authors
package io.github.gcsmrd;

import io.github.gcsmrd.internal.read.RangeRead;
import io.github.gcsmrd.internal.stream.ObjectSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The future of a call of {@link MultiRangeDownloader#downloadRanges}: the results in the order
 * asked. Thread-safe.
 *
 * <p>The ranges are independent. It ends when each of them has ended: normally if all succeeded,
 * else with a {@link DownloadException} that has every outcome, caused by the range that failed
 * first. Completing it from outside, by {@link #cancel}, {@link #orTimeout} or otherwise, gives up
 * what is left of it once it is completed: late bytes are dropped, other calls of the session go
 * on. An outcome can't be replaced: {@link #obtrudeValue} and {@link #obtrudeException} are not
 * supported, here and on the futures of ranges.
 *
 * <p>It is completed on the client's callback executor, so stages that depend on it may block
 * without holding up any data.
 */
public final class Download extends CompletableFuture<List<RangeResult>> {
  private final ObjectSession session;
  private final String bucket;
  private final String object;
  private final List<RangeFuture> ranges;
  private final List<ByteRange> asked;
  private final AtomicInteger open;
  private final AtomicInteger noisy;
  private final AtomicReference<@Nullable Throwable> firstFailure = new AtomicReference<>();
  private final CompletableFuture<Void> quiesced = new CompletableFuture<>();

  Download(ObjectSession session, String bucket, String object, List<ByteRange> asked) {
    this.session = session;
    this.bucket = bucket;
    this.object = object;
    this.asked = asked;
    this.open = new AtomicInteger(asked.size());
    this.noisy = new AtomicInteger(asked.size());
    List<RangeFuture> futures = new ArrayList<>(asked.size());
    for (int i = 0; i < asked.size(); i++) {
      futures.add(new RangeFuture(this));
    }
    this.ranges = List.copyOf(futures);
    if (asked.isEmpty()) {
      super.complete(List.of());
      quiesced.complete(null);
    }
  }

  /**
   * Returns how many ranges were asked for.
   *
   * @return the number of ranges
   */
  public int size() {
    return ranges.size();
  }

  /**
   * Returns the future of one range. Completing it from outside gives that range up; the others go
   * on.
   *
   * @param index its place in the order asked
   * @return its future, which fails with a {@link GcsException}, or with what a sink or allocator
   *     threw
   * @throws IndexOutOfBoundsException if there is no such range
   */
  public CompletableFuture<RangeResult> range(int index) {
    return ranges.get(index);
  }

  /**
   * Returns the future that ends, always normally, when no destination of this call will be touched
   * any more and no sink of it runs: after a cancellation, buffers may be reused only then.
   *
   * @return a copy, which completes nothing when it is completed
   */
  public CompletableFuture<Void> quiesced() {
    return quiesced.copy();
  }

  RangeFuture future(int index) {
    return ranges.get(index);
  }

  void noteFailure(Throwable failure) {
    firstFailure.compareAndSet(null, failure);
  }

  void rangeEnded() {
    if (open.decrementAndGet() == 0) {
      finish();
    }
  }

  void rangeQuiet() {
    if (noisy.decrementAndGet() == 0) {
      quiesced.complete(null);
    }
  }

  void giveUp(List<RangeRead> reads) {
    for (RangeRead read : reads) {
      try {
        session.abandon(read);
      } catch (RejectedExecutionException e) {
        // The client is closed, and with it everything of this call has ended.
      }
    }
  }

  private void finish() {
    List<RangeOutcome> outcomes = new ArrayList<>(ranges.size());
    List<RangeResult> results = new ArrayList<>(ranges.size());
    for (int i = 0; i < ranges.size(); i++) {
      RangeOutcome outcome = outcome(i);
      outcomes.add(outcome);
      if (outcome instanceof RangeOutcome.Succeeded succeeded) {
        results.add(succeeded.result());
      }
    }
    if (results.size() == ranges.size()) {
      super.complete(List.copyOf(results));
    } else {
      super.completeExceptionally(exception(outcomes, results));
    }
  }

  private RangeOutcome outcome(int index) {
    try {
      RangeResult result = ranges.get(index).join();
      return result == null
          ? new RangeOutcome.Failed(
              asked.get(index), new CancellationException("completed from outside with null"))
          : new RangeOutcome.Succeeded(result);
    } catch (CompletionException e) {
      Throwable cause = e.getCause();
      return new RangeOutcome.Failed(asked.get(index), cause == null ? e : cause);
    } catch (CancellationException e) {
      return new RangeOutcome.Failed(asked.get(index), e);
    }
  }

  private DownloadException exception(List<RangeOutcome> outcomes, List<RangeResult> results) {
    long delivered = 0;
    for (RangeResult result : results) {
      delivered += result.length();
    }
    Throwable first = first(outcomes);
    StatusCode status = first instanceof GcsException gcs ? gcs.status() : StatusCode.UNKNOWN;
    int failed = outcomes.size() - results.size();
    FailureContext context =
        new FailureContext(
            bucket,
            object,
            OptionalLong.empty(),
            Optional.empty(),
            delivered,
            1,
            Duration.ZERO,
            status,
            List.of());
    String what = failed + " of " + outcomes.size() + " ranges failed, first: ";
    return new DownloadException(what, context, outcomes, first);
  }

  /** What failed first; whoever completes a range from outside may not have told yet. */
  private Throwable first(List<RangeOutcome> outcomes) {
    Throwable first = firstFailure.get();
    for (int i = 0; i < outcomes.size() && first == null; i++) {
      first = outcomes.get(i) instanceof RangeOutcome.Failed failed ? failed.failure() : null;
    }
    return first == null ? new CancellationException() : first;
  }

  @Override
  public boolean complete(@Nullable List<RangeResult> value) {
    return giveUpAll(super.complete(value));
  }

  @Override
  public boolean completeExceptionally(Throwable failure) {
    return giveUpAll(super.completeExceptionally(Objects.requireNonNull(failure, "failure")));
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return giveUpAll(super.cancel(mayInterruptIfRunning));
  }

  @Override
  public Download completeAsync(Supplier<? extends List<RangeResult>> supplier) {
    return completeAsync(supplier, defaultExecutor());
  }

  @Override
  public Download completeAsync(Supplier<? extends List<RangeResult>> supplier, Executor executor) {
    FromOutside.complete(this, supplier, executor);
    return this;
  }

  /**
   * Not supported: whoever was told an outcome has acted on it.
   *
   * @param value ignored
   * @throws UnsupportedOperationException always
   */
  @Override
  public void obtrudeValue(@Nullable List<RangeResult> value) {
    throw FromOutside.obtruded();
  }

  /**
   * Not supported: whoever was told an outcome has acted on it.
   *
   * @param failure ignored
   * @throws UnsupportedOperationException always
   */
  @Override
  public void obtrudeException(Throwable failure) {
    throw FromOutside.obtruded();
  }

  private boolean giveUpAll(boolean first) {
    if (first) {
      for (RangeFuture range : ranges) {
        range.cancel(false);
      }
    }
    return first;
  }

  /** Stages made of it are plain futures: completing those gives nothing up. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }

  @Override
  public String toString() {
    return "Download[gs://"
        + bucket
        + "/"
        + object
        + ", "
        + ranges.size()
        + " ranges, "
        + open.get()
        + " open]";
  }
}
